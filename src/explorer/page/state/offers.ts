import type {
  ExploredAction,
  ExploredApplication,
  ExploredOffer,
  ExploredTool,
  ExploredWorkflow,
} from '../../contract.ts';
import { linkTo } from './links.ts';

/** What a call does, by its marks: the same word, letter and colour everywhere. */
export type Meaning = 'reads' | 'writes' | 'destroys' | 'asks' | 'none';

/** One line of the tree: a group, or something that can be tried. */
export interface Row {
  readonly id: string;
  readonly label: string;
  readonly depth: number;
  /** Undefined for groups. */
  readonly link?: string;
  readonly meaning: Meaning;
  readonly isDeprecated: boolean;
  /** In lower case: what a search looks in. */
  readonly words: string;
  readonly tags: readonly string[];
  /** What it stands below, the outermost first. */
  readonly parents: readonly string[];
}

export const MEANINGS: Readonly<Record<Meaning, { readonly letter: string; readonly word: string }>> = {
  reads: { letter: 'R', word: 'read-only' },
  writes: { letter: 'W', word: 'writes' },
  destroys: { letter: 'D', word: 'destructive' },
  asks: { letter: 'A', word: 'asks first' },
  none: { letter: '', word: '' },
};

export function meaningOf(action: ExploredAction): Meaning {
  if (action.isReadOnly) return 'reads';
  if (action.isDestructive) return 'destroys';
  return action.confirm === undefined ? 'writes' : 'asks';
}

const CONSENTS: Readonly<Record<string, string>> = {
  true: 'the client asks',
  twice: 'by a second call, with the confirmation of the first',
  url: 'on a page of the application',
};

/** How a person agrees to a call. */
export function consentTo(confirm: string): string {
  return CONSENTS[confirm] ?? confirm;
}

export function rowsOf(application: ExploredApplication): readonly Row[] {
  return [
    ...application.tools.flatMap(toolRows),
    ...offerRows('workflow', 'workflows', application.workflows.map(offerOf)),
    ...offerRows('prompt', 'prompts', application.prompts),
    ...offerRows('resource', 'resources', application.resources),
    ...offerRows('template', 'templates', application.templates),
  ];
}

function offerOf({ id, name, description }: ExploredWorkflow): Pick<ExploredOffer, 'id' | 'definition'> {
  return { id, definition: { name: id, title: name, description } };
}

function toolRows(tool: ExploredTool): readonly Row[] {
  const [first] = tool.actions;
  if (first !== undefined && tool.discriminator === undefined) return [actionRow(tool, first, tool.name, [])];
  const rows: Row[] = [groupRow(`tool:${tool.name}`, tool.name, 0, [])];
  const seen = new Set<string>();
  for (const action of tool.actions) {
    const path = action.key.split('.');
    const parents = [`tool:${tool.name}`];
    for (let depth = 1; depth < path.length; depth += 1) {
      const group = path.slice(0, depth).join('.');
      const id = `tool:${tool.name}:${group}`;
      if (!seen.has(id)) rows.push(groupRow(id, path[depth - 1] ?? group, depth, [...parents]));
      seen.add(id);
      parents.push(id);
    }
    rows.push(actionRow(tool, action, path.at(-1) ?? action.key, parents));
  }
  return rows;
}

function groupRow(id: string, label: string, depth: number, parents: readonly string[]): Row {
  return { id, label, depth, meaning: 'none', isDeprecated: false, words: '', tags: [], parents };
}

function actionRow(
  tool: ExploredTool,
  action: ExploredAction,
  label: string,
  parents: readonly string[],
): Row {
  const { key, title = '', description = '', tags } = action;
  return {
    id: `tool:${tool.name}:${key}:action`,
    label,
    depth: parents.length,
    link: key === '' ? linkTo('tool', tool.name) : linkTo('tool', tool.name, key),
    meaning: meaningOf(action),
    isDeprecated: action.deprecated !== undefined,
    words: [`${tool.name}.${key}`, title, description].join(' ').toLowerCase(),
    tags,
    parents,
  };
}

function offerRows(
  kind: string,
  heading: string,
  offers: readonly Pick<ExploredOffer, 'id' | 'definition'>[],
): readonly Row[] {
  if (offers.length === 0) return [];
  const rows = offers.map(({ id, definition }): Row => {
    const { name, title, description } = definition;
    const words = [id, name, title, description].filter((part) => typeof part === 'string');
    return {
      id: `${kind}:${id}`,
      label: typeof name === 'string' ? name : id,
      depth: 1,
      link: linkTo(kind, id),
      meaning: 'none',
      isDeprecated: false,
      words: words.join(' ').toLowerCase(),
      tags: [],
      parents: [heading],
    };
  });
  return [groupRow(heading, heading, 0, []), ...rows];
}

/** The rows with all words of a query, and the groups above them. `tag:x` asks for a tag. */
export function searchRows(rows: readonly Row[], query: string): readonly Row[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  const fits = (row: Row): boolean =>
    row.link !== undefined &&
    words.every((word) =>
      word.startsWith('tag:')
        ? row.tags.some((tag) => tag.toLowerCase() === word.slice(4))
        : row.words.includes(word) || row.tags.some((tag) => tag.toLowerCase().includes(word)),
    );
  const found = rows.filter(fits);
  const needed = new Set(found.flatMap(({ id, parents }) => [id, ...parents]));
  return rows.filter(({ id }) => needed.has(id));
}
