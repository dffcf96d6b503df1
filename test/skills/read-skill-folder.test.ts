import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApplicationError, McpApplication, ToolwrightError } from 'toolwright';
import { SkillsModule } from 'toolwright/skills';
import { readSkillFolder } from '../../src/skills/read-skill-folder.ts';

let home: string;
let directory: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'skill-folder-'));
  directory = join(home, 'skills');
  mkdirSync(directory);
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

const write = (path: string, content = ''): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
};
const writeSkill = (name: string, fields = `name: ${name}\ndescription: Does it`): void => {
  write(`skills/${name}/SKILL.md`, `---\n${fields}\n---\nDo it.\n`);
};
const said = (): readonly string[] =>
  readSkillFolder(directory).problems.map(({ code, where, what }) => `${code} ${where} ${what}`);

test('what is wrong with several skills is in the one error of a start that fails', async () => {
  writeSkill('good');
  writeSkill('other', 'name: another\ndescription: x');
  write('skills/plain/SKILL.md', '# No frontmatter\n');
  const failure = await McpApplication.create(
    SkillsModule.forRoot({ directory: pathToFileURL(directory) }),
  ).catch((error: unknown) => error);
  expect(ToolwrightError.is(failure)).toBe(true);
  expect((failure as ApplicationError).problems.map(({ code, where }) => [code, where])).toEqual([
    ['TW_SCAN_SKILL', 'skills/other'],
    ['TW_SCAN_SKILL', 'skills/plain'],
  ]);
});

test('a skill of a URI that another folder has is a problem', async () => {
  writeSkill('good');
  const twice = SkillsModule.forRoot({ directory });
  const root = { ...twice, imports: [SkillsModule.forRoot({ directory })] };
  await expect(McpApplication.create(root)).rejects.toThrow(
    /skill:\/\/good\/SKILL\.md, which a skill of another/,
  );
});

test.each([
  ['name: Bad_Name\ndescription: x', 'Bad_Name', 'has a name that no skill may have.'],
  ['name: a--b\ndescription: x', 'a--b', 'has a name that no skill may have.'],
  ['name: a', 'a', 'has no description of the length that skills may have.'],
  [
    `name: a\ndescription: ${'x'.repeat(1025)}`,
    'a',
    'has no description of the length that skills may have.',
  ],
  ['- a list', 'a', 'has frontmatter that is not a list of fields.'],
  ['name: [', 'a', 'has frontmatter that is not YAML: '],
  ['description: x', 'a', 'has the name undefined in its frontmatter.'],
])('frontmatter %j is refused', (fields, name, what) => {
  writeSkill(name, fields);
  expect(said()).toEqual([expect.stringContaining(`TW_SCAN_SKILL skills/${name} ${what}`)]);
});

test('a SKILL.md that is not UTF-8, a folder without one, and a folder that is none are problems', () => {
  writeSkill('a');
  writeFileSync(join(directory, 'a/SKILL.md'), Buffer.from([0x2d, 0xff]));
  write('skills/b/skill.md', '---\nname: b\n---\n');
  write('skills/README.md', 'about the folder');
  expect(said()).toEqual([
    'TW_SCAN_SKILL skills/a has a SKILL.md that is not UTF-8.',
    'TW_SCAN_SKILL skills/b has no SKILL.md.',
  ]);
  const { problems } = readSkillFolder(join(home, 'nowhere'));
  expect(problems).toMatchObject([{ code: 'TW_SCAN_SKILL', where: 'nowhere' }]);
  expect(readSkillFolder(join(directory, 'a')).problems).toMatchObject([{ what: 'has a SKILL.md itself.' }]);
});

test('links out of a skill, to folders and to nothing are problems; those inside are files', () => {
  write('secret.txt', 'secret');
  for (const name of ['file', 'around', 'nothing', 'sibling']) writeSkill(name);
  symlinkSync(join(home, 'secret.txt'), join(directory, 'file/notes.txt'));
  symlinkSync('.', join(directory, 'around/again'));
  symlinkSync('gone', join(directory, 'nothing/gone.txt'));
  symlinkSync('../file/SKILL.md', join(directory, 'sibling/other.md'));
  symlinkSync(home, join(directory, 'whole'));
  expect(said().map((text) => text.replace('TW_SCAN_SKILL skills/', ''))).toEqual([
    'around has "again", a link out of its folder.',
    'file has "notes.txt", a link out of its folder.',
    expect.stringContaining('nothing cannot be read: ENOENT'),
    'sibling has "other.md", a link out of its folder.',
    'whole is a link.',
  ]);
  for (const name of ['file', 'around', 'nothing', 'sibling', 'whole'])
    rmSync(join(directory, name), { recursive: true });
  writeSkill('inside');
  mkdirSync(join(directory, 'inside/data'));
  symlinkSync('SKILL.md', join(directory, 'inside/copy.md'));
  symlinkSync('data', join(directory, 'inside/more'));
  expect(said()).toEqual(['TW_SCAN_SKILL skills/inside has "more", a link to a folder.']);
  rmSync(join(directory, 'inside/more'));
  const uris = readSkillFolder(directory).skills.flatMap(({ files }) => files.map(({ uri }) => uri));
  expect(uris).toEqual(['skill://inside/SKILL.md', 'skill://inside/copy.md']);
});

test('512 files and 16 MiB are the most that a skill has, and larger files are not read', () => {
  writeSkill('many');
  for (let count = 1; count < 512; count += 1) write(`skills/many/${String(count)}.txt`);
  writeSkill('large');
  write('skills/large/data.bin');
  const { size } = statSync(join(directory, 'large/SKILL.md'));
  truncateSync(join(directory, 'large/data.bin'), 16 * 1024 * 1024 - size);
  expect(said()).toEqual([]);
  write('skills/many/512.txt');
  truncateSync(join(directory, 'large/data.bin'), 17 * 1024 * 1024);
  expect(said()).toEqual([
    'TW_SCAN_SKILL skills/large has more than 16 MiB in its files.',
    'TW_SCAN_SKILL skills/many has more than 512 files.',
  ]);
});

test('a name with control characters is a problem, and is shown without them', () => {
  writeSkill('a');
  write('skills/a/no\u001b[31m\u009bte.md');
  expect(said()).toEqual([
    'TW_SCAN_SKILL skills/a has the name "no\\u001b[31m\uFFFDte.md" in it, with control characters.',
  ]);
});

test('options that are wrong are refused at once', () => {
  expect(() => SkillsModule.forRoot({ directory: '' })).toThrow(/TW_APPLICATION_OPTION/);
  expect(() => SkillsModule.forRoot({ directory: new URL('https://example.com/') })).toThrow(
    /the URL of a file/,
  );
});
