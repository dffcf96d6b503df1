import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpApplication } from 'toolwright';
import { AppModule as KnowledgeBase } from '../../examples/knowledge-base/app.module.ts';
import { NotesModule } from '../../examples/quickstart/server.ts';
import { AppModule as ReleaseManager } from '../../examples/release-manager/app.module.ts';
import { AppModule as SupportDesk } from '../../examples/support-desk/app.module.ts';
import { AppModule as TaskBoard } from '../../examples/task-board/app.module.ts';
import { BENCH, PROJECT } from '../folders.ts';
import { generateTools } from './generated-tools.ts';
import { InvoicingModule } from './invoicing.ts';
import { openTools, type Describe, type ListedTool } from './listed-tool.ts';

type Options = Parameters<typeof McpApplication.create>[1];

const SEED = 20_261_128;

/** Every application whose tools are counted: as its author declares it, or in one tool for each group in the given form. */
export const APPLICATIONS: Readonly<Record<string, (describe?: Describe) => Promise<McpApplication>>> = {
  quickstart: (describe) => open(NotesModule, describe),
  'task-board': (describe) => open(TaskBoard.forRoot({ file: ':memory:' }), describe),
  'knowledge-base': async (describe) => {
    const folder = await mkdtemp(join(tmpdir(), 'pages-'));
    const sample = join(PROJECT, 'examples/knowledge-base/sample');
    return open(KnowledgeBase.forRoot({ folder, sample }), describe);
  },
  'release-manager': async (describe) =>
    open(ReleaseManager.forRoot(join(await mkdtemp(join(tmpdir(), 'runs-')), 'runs.db')), describe),
  'support-desk': (describe) => open(SupportDesk.forRoot(':memory:'), describe, { auth: false }),
  'invoicing, 19 actions': (describe) => open(InvoicingModule, describe),
  'GitHub, 117 tools': async (describe = 'plain') =>
    openTools(await readGithubTools(), findGithubGroup, describe),
  'generated, 1,000 actions': (describe = 'plain') =>
    openTools(generateTools(SEED), ({ name }) => name.slice(0, name.indexOf('_')), describe),
};

function open(
  root: Parameters<typeof McpApplication.create>[0],
  describe: Describe | undefined,
  options: Options = {},
): Promise<McpApplication> {
  const info = { name: 'counted', version: '1.0.0', openWorld: false };
  const form = describe === undefined ? {} : ({ expose: 'grouped', describe } as const);
  return McpApplication.create(root, { ...info, ...options, ...form });
}

async function readGithubTools(): Promise<readonly ListedTool[]> {
  const text = await readFile(join(BENCH, 'tokens/github-tools.json'), 'utf8');
  return (JSON.parse(text) as { readonly tools: readonly ListedTool[] }).tools;
}

/** The first word of a name that says what a tool is about. */
const GITHUB_GROUPS: readonly (readonly [group: string, words: RegExp])[] = [
  ['actions', /^actions|job_logs/],
  ['security', /security|scanning|dependabot|quality/],
  ['notifications', /notification/],
  ['discussions', /discussion/],
  ['gists', /gist/],
  ['projects', /^projects/],
  ['pulls', /pull_request|review/],
  ['issues', /issue|label|duplicate/],
  ['people', /user|team|org|_me$|collaborator/],
];

function findGithubGroup({ name }: ListedTool): string {
  return GITHUB_GROUPS.find(([, words]) => words.test(name))?.[0] ?? 'repos';
}
