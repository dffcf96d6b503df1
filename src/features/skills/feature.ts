import type { Problem, ProblemList } from '../../errors/problem-list.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import type { ScannedTool } from '../../scanner/actions/scan-tools.ts';
import type { ScannedRequirement } from '../../scanner/requirements/scanned-requirements.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import { findSkillFolders, type SkillDefinition } from './skill-folder.ts';
import { ServedSkills } from './skills.ts';

/** Instructions for agents, in folders of files: `SkillsModule` of `toolwright/skills` (SEP-2640). */
export const skillsFeature = feature({
  name: 'skills',
  decorators: [],
  check: checkFolders,
  notes: (scanned) =>
    findSkillFolders(scanned).flatMap(({ skills }) => skills.flatMap((skill) => checkTools(skill, scanned))),

  wanted: ({ scanned }) => scanned !== undefined && findSkillFolders(scanned).length > 0,
  state: ({ scanned }) => new ServedSkills(findSkillFolders(scanned ?? { providers: [] })),
  offers: (skills) => (skills === undefined ? [] : ['resources']),
  resources: (_call, skills) => skills?.manifests ?? [],
  everyResource: (skills) => skills?.entries ?? [],
  read: (call, skills) => skills?.read(call),
  extensions: (skills) =>
    skills === undefined
      ? {}
      : {
          'io.modelcontextprotocol/skills': {
            settings: skills.hasDirectories ? { directoryRead: true } : {},
            methods: {
              'skills/list': (call, page) => skills.list(call, page),
              'skills/get': (call) => skills.get(call),
              ...(skills.hasDirectories && {
                'resources/directory/read': (call, page) => skills.readDirectory(call, page),
              }),
            },
          },
        },
});

/** Reports what keeps a skill from being served, and two skills with one URI. */
function checkFolders(scanned: ScannedApplication, _options: object, problems: ProblemList): void {
  const seen = new Set<string>();
  for (const folder of findSkillFolders(scanned)) {
    for (const { code, ...facts } of folder.problems) problems.add(code, facts);
    for (const { uri, where } of folder.skills) {
      if (seen.has(uri))
        problems.at(where).add('TW_SCAN_SKILL', {
          what: `has the URI ${uri}, which a skill of another folder has already.`,
          fix: 'another name for one of the two',
        });
      seen.add(uri);
    }
  }
}

/**
 * The tools in `allowed-tools` that the application does not have, or not for every reader of the skill. That is a note: the
 * field may name tools of the host, or of another server, and hosts ask people before they heed it.
 */
function checkTools(
  { where, frontmatter }: SkillDefinition,
  { tools }: ScannedApplication,
): readonly Problem[] {
  const known = new Map(tools.flatMap(namesIn));
  return readAllowed(frontmatter['allowed-tools']).flatMap((name): Problem[] => {
    const actions = known.get(name);
    if (actions === undefined) return [{ where, ...noSuchTool(name, known.keys()) }];
    const needed = listNeeded(actions);
    return needed === undefined ? [] : [{ where, ...notForAll(name, needed) }];
  });
}

type Noted = Omit<Problem, 'where'>;

function noSuchTool(name: string, known: Iterable<string>): Noted {
  return {
    code: 'TW_NOTE_SKILL',
    what: `allows ${describeValue(name)}, which no tool or action here is called.`,
    why: 'a host looks for it among its own tools and those of other servers.',
    fix: didYouMean(name, known) ?? 'the name of a tool, or nothing where it is one of the host',
  };
}

function notForAll(name: string, needed: string): Noted {
  return {
    code: 'TW_NOTE_SKILL',
    what: `allows ${describeValue(name)}, which only callers with ${needed} may call.`,
    why: 'every caller reads the skill.',
    fix: 'let the text of the skill say who can follow it',
  };
}

/** The names of a tool and of its actions, as texts write them. */
function namesIn({
  name,
  actions,
}: ScannedTool): readonly (readonly [name: string, actions: ScannedTool['actions']])[] {
  const own = actions.flatMap((action) =>
    ['.', '_'].map((separator) => [`${name}${separator}${action.key}`, [action]] as const),
  );
  return [[name, actions], ...own];
}

/** What a caller has to have for any of the actions; undefined where one of them asks for nothing but to be signed in. */
function listNeeded(actions: ScannedTool['actions']): string | undefined {
  const [first, ...others] = actions.map(({ requirements }) =>
    (requirements?.all ?? []).flatMap(describeRequirement).join(' and '),
  );
  if (first === undefined || [first, ...others].includes('')) return undefined;
  return others.every((each) => each === first) ? first : 'further rights';
}

function describeRequirement(requirement: ScannedRequirement): readonly string[] {
  switch (requirement.kind) {
    case 'authenticated':
      return [];
    case 'scopes':
      return requirement.allOf.map((anyOf) => `the scope ${anyOf.join(' or ')}`);
    case 'roles':
      return [`the role ${requirement.anyOf.join(' or ')}`];
    case 'policy':
      return [`the consent of ${requirement.policy.name}`];
  }
}

/** Names with a capital letter are tools of hosts, such as `Read` and `Bash(git:*)`; `mcp__desk__` names the server. */
function readAllowed(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts
    .flatMap((text) => (typeof text === 'string' ? text.replaceAll(/\([^)]*\)/g, ' ').split(/[\s,]+/) : []))
    .map((name) => name.replace(/^mcp__.+?__/, ''))
    .filter((name) => /^[a-z]/.test(name));
}
