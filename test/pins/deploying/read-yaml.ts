import { parsers } from 'prettier/plugins/yaml';

/** What YAML says, as JSON has it. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [name: string]: Data };

/** A node of the tree that Prettier makes of YAML. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly (Node | null)[];
}

/** The documents of a text. Prettier reads it, and refuses what is not YAML. */
export function readYaml(text: string): readonly Data[] {
  // It needs no options to make the tree
  const root = parsers.yaml.parse(text, {} as never) as Node;
  return childrenOf(root).map((document) => dataOf(childrenOf(lastOf(document))[0]));
}

function dataOf(node: Node | undefined): Data {
  if (node === undefined) return null;
  const children = childrenOf(node);
  switch (node.type) {
    case 'mapping':
    case 'flowMapping':
      return mappingOf(children);
    case 'sequence':
    case 'flowSequence':
      return children.map(contentOf);
    case 'plain':
      return scalarOf(node.value ?? '');
    case 'quoteSingle':
    case 'quoteDouble':
      return node.value ?? '';
    default:
      throw new Error(`There is ${node.type} in the YAML, which this test does not read`);
  }
}

function mappingOf(items: readonly Node[]): Data {
  const entries = items.map(({ children: [key, value] = [] }) => {
    const name = contentOf(key);
    if (typeof name !== 'string') throw new Error(`${JSON.stringify(name)} is a name in the YAML`);
    return [name, contentOf(value)] as const;
  });
  const data = Object.fromEntries(entries);
  if (Object.keys(data).length < entries.length) throw new Error('A name stands twice in the YAML');
  return data;
}

function contentOf(node: Node | null | undefined): Data {
  return dataOf(node === null || node === undefined ? undefined : childrenOf(node)[0]);
}

function childrenOf({ children = [] }: Node): readonly Node[] {
  return children.filter((child): child is Node => child !== null && child.type !== 'null');
}

function lastOf(node: Node): Node {
  const last = childrenOf(node).at(-1);
  if (last === undefined) throw new Error(`${node.type} is empty`);
  return last;
}

function scalarOf(text: string): Data {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null' || text === '~') return null;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
