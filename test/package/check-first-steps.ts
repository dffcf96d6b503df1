import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askServed, askStarted, NOTES, TASKS, type Expected } from './check-quickstart.ts';
import { firstSteps, GUIDE, README } from './documented-project.ts';
import { StrangerProject } from './stranger-project.ts';

const SERVING =
  /^explorer: http:\S+\/explorer#token=\S+\nServing\. A save takes effect at once\. Ctrl-C ends it\.\nEnding/;

const PAGES = [
  [README, NOTES],
  [GUIDE, TASKS],
] as const;

/** From an empty folder to a called tool, with one file and the two commands of each page. */
export async function checkTwoCommands(
  directory: string,
  sources: ReadonlyMap<string, string>,
): Promise<StrangerProject> {
  const project = new StrangerProject(directory);
  for (const [page, expected] of PAGES) {
    const { server, installs, start } = firstSteps(page);
    await project.remove('node_modules');
    await project.remove('package.json');
    await project.remove('package-lock.json');
    await project.write('server.ts', server);
    for (const line of installs) await project.install(line, sources);
    assert.doesNotMatch(await readFile(join(directory, 'package.json'), 'utf8'), /"type": "module"/);
    await askServed(project.command([...start, '--port', '0']), expected, SERVING);
  }
  return project;
}

/** What an action of the made project has to answer. */
const MADE: readonly Expected[] = [
  { tool: 'notes', args: { action: 'add', text: 'buy milk' }, answer: /"id":1/ },
  { tool: 'notes', args: { action: 'remove', id: 7 }, answer: /There is no note 7/ },
];

/** Makes projects with the installed command, and does with them all that they say can be done. */
export async function checkNew(from: StrangerProject, sources: ReadonlyMap<string, string>): Promise<void> {
  for (const [folder, template, scripts] of [
    ['my notes', 'http', ['npm test', 'npm run typecheck', 'npm run check', 'npm run lock -- --check']],
    ['published', 'stdio', ['npm test', 'npm run build']],
  ] as const) {
    await from.shell(`npx --no-install toolwright new '${folder}' --template ${template}`);
    const project = new StrangerProject(join(from.directory, folder));
    // The made project has the file from which this command was installed
    await project.install({ isDevelopment: false, packages: [] }, sources);
    for (const script of scripts) await project.shell(script);
    const { scripts: own } = JSON.parse(await readFile(join(project.directory, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    // What npm start runs is started without npm, which would stand between it and its signals.
    const start = (own['start'] ?? '').split(' ');
    if (template === 'http') await askServed(project.command([...start, '--port', '0']), MADE, /^Serving/);
    else {
      const [name = '', ...args] = start;
      await askStarted(project, [join('node_modules/.bin', name), ...args], MADE);
      await askStarted(project, ['dist/main.js'], MADE);
    }
  }
}
