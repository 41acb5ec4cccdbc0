#include "sarrus/run/column.hpp"

#include <array>

namespace sarrus {
namespace {

// in the order of ColumnKind
constexpr std::array facts{
    ColumnFacts{"other", ""},
    ColumnFacts{"time", ""},
    ColumnFacts{"coordinate", "q", true},
    ColumnFacts{"velocity", "u", true},
    ColumnFacts{"acceleration", "udot", true},
    ColumnFacts{"drive", "drive", true},
    ColumnFacts{"current", ""},
    ColumnFacts{"momentum", "p", true},
    ColumnFacts{"force", "f", true},
    ColumnFacts{"moment", "n", true},
    ColumnFacts{"multiplier", "force"},
    ColumnFacts{"elastic coordinate", "e", true},
    ColumnFacts{"elastic velocity", "de", true},
    ColumnFacts{"elastic momentum", "pe", true},
    ColumnFacts{"normal force", "N"},
    ColumnFacts{"shear force", "Q", true},
    ColumnFacts{"section moment", "M", true},
    ColumnFacts{"stress", ""},
    ColumnFacts{"position", "", true},
    ColumnFacts{"point velocity", "v", true},
    ColumnFacts{"point acceleration", "a", true},
    ColumnFacts{"orientation", "q", true},
    ColumnFacts{"angular velocity", "w", true},
    ColumnFacts{"angular acceleration", "alpha_", true},
    ColumnFacts{"accelerometer", "imu_", true},
    ColumnFacts{"formula", ""},
    ColumnFacts{"state", ""},
    ColumnFacts{"input", ""},
    ColumnFacts{"sampled", ""},
    ColumnFacts{"element", "", true},
    ColumnFacts{"energy", ""},
    ColumnFacts{"hamiltonian", ""},
    ColumnFacts{"ledger", ""},
    ColumnFacts{"residual", ""},
};
static_assert(facts.size() == static_cast<size_t>(ColumnKind::residual) + 1);

}  // namespace

const ColumnFacts& facts_of(ColumnKind kind) { return facts[static_cast<size_t>(kind)]; }

ColumnKind column_kind(std::string_view word) {
  for (size_t i = 0; i < facts.size(); ++i)
    if (facts[i].word == word) return static_cast<ColumnKind>(i);
  return ColumnKind::other;
}

Column column(std::string owner, ColumnKind kind, std::string component, std::string unit) {
  const std::string part = std::string(facts_of(kind).prefix) + component;
  std::string name = part.empty() ? owner : owner + "." + part;
  return {std::move(name), std::move(unit), kind, std::move(owner), std::move(component)};
}

bool belong_together(const Column& a, const Column& b) {
  return facts_of(a.kind).is_vector && a.kind == b.kind && a.owner == b.owner && a.unit == b.unit;
}

std::string vector_name(const Column& column) {
  std::string part(facts_of(column.kind).prefix);
  if (part.ends_with('_')) part.pop_back();
  return part.empty() ? column.owner : column.owner + "." + part;
}

}  // namespace sarrus
