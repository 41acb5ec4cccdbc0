// Numbers of MuJoCo for every robot below a folder, for the test "robots: a collection beside MuJoCo".
//
//   node collection.mjs FOLDER OUT        run where @mujoco/mujoco is installed
//   SARRUS_ROBOTS=OUT test_reference -tc="robots: a collection*"
//
// Of URDF what is drawn and touched is taken out first: MuJoCo reads neither package:// nor Collada. What MuJoCo
// itself refuses is printed.
import { appendFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { numbers, open, start } from './mujoco_numbers.mjs';

const [, , folder, out] = process.argv;
mkdirSync(out, { recursive: true });
const robots = [];
const look = (at) => {
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const file = path.join(at, entry.name);
    if (entry.isDirectory()) look(file);
    else if (file.endsWith('.urdf')) robots.push(file);
    else if (file.endsWith('.xml') && !entry.name.includes('scene') && readFileSync(file, 'utf8').includes('<worldbody')) robots.push(file);
  }
};
look(path.resolve(folder));

const mj = await start();
const bare = (text) => text.replace(/<!--[\s\S]*?-->/g, '').replace(/<(visual|collision)\b[^>]*\/>/g, '').replace(/<(visual|collision)\b[\s\S]*?<\/\1>/g, '');
for (const robot of robots.sort()) {
  const to = path.join(path.resolve(out), path.relative(path.resolve(folder), robot).replaceAll(path.sep, '__') + '.json');
  try {
    let opened;
    if (robot.endsWith('.urdf')) {
      mj.FS.writeFile('/robot.urdf', bare(readFileSync(robot, 'utf8')));
      opened = { mj, model: mj.MjModel.from_xml_path('/robot.urdf') };
    } else {
      opened = await open(robot);
    }
    writeFileSync(to, JSON.stringify(numbers(opened.mj, opened.model, 3)));
    appendFileSync(path.join(out, 'list'), `${robot} ${to}\n`);
    opened.model.delete();
  } catch (refused) {
    console.log(`${robot}: ${String(refused.message ?? refused).replaceAll('\n', ' ')}`);
  }
}
