"""Robots of other programs are models like any other."""
import numpy
import pytest

import sarrus

URDF = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
</robot>
"""


def test_a_robot_is_loaded_changed_and_saved(tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    model = sarrus.load(tmp_path / "arm.urdf")
    assert model.mass_matrix()[0, 0] == pytest.approx(0.1 + 2 * 0.25, rel=1e-12)
    model["upper"].mass = 4
    assert model.mass_matrix()[0, 0] == pytest.approx(0.1 + 4 * 0.25, rel=1e-12)
    model.save(tmp_path / "arm.toml")
    assert numpy.allclose(sarrus.load(tmp_path / "arm.toml").mass_matrix(), model.mass_matrix(), rtol=1e-14)
    result = sarrus.load(tmp_path / "arm.urdf").simulate(until=0.1)
    result.report(tmp_path / "arm.html")
    assert "upper" in (tmp_path / "arm.html").read_text()
