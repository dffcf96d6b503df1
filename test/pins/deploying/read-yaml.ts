import { parseAllDocuments } from 'yaml';

/** What YAML says, as JSON has it. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [name: string]: Data };

/** The documents of a text. What is not YAML, and a name that stands twice, is refused. */
export function readYaml(text: string): readonly Data[] {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) throw new Error('There is no document in the YAML');
  return documents.map((document) => {
    const [wrong] = [...document.errors, ...document.warnings];
    if (wrong !== undefined) throw wrong;
    return document.toJS() as Data;
  });
}
