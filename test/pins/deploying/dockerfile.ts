/** What builds one image of a Dockerfile, or a part of one. */
export interface Stage {
  readonly name: string | undefined;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

export interface Instruction {
  readonly word: string;
  readonly text: string;
}

/** Reads the form that the guide uses: no comments, no parsers by name, no heredocs. */
export function readDockerfile(text: string): readonly Stage[] {
  const stages: { name: string | undefined; from: string; instructions: Instruction[] }[] = [];
  for (const line of text.replace(/\\\n\s*/g, '').split('\n')) {
    const [, word, rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (word === 'FROM') {
      const [, from = '', name] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ from, name, instructions: [] });
    } else if (word !== undefined) stages.at(-1)?.instructions.push({ word, text: rest });
    else if (line !== '') throw new Error(`Not an instruction: ${line}`);
  }
  return stages;
}

/** The texts of all instructions with a word. */
export function textsOf({ instructions }: Stage, word: string): readonly string[] {
  return instructions.flatMap((one) => (one.word === word ? one.text : []));
}

/** A command in the exec form, which no shell reads. */
export function execForm(text = ''): readonly string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string'))
    throw new Error(`Not in the exec form: ${text}`);
  return words;
}

/** The variables of `ENV`. */
export function variablesOf(stage: Stage): Readonly<Record<string, string>> {
  const pairs = textsOf(stage, 'ENV').flatMap((text) => text.split(' '));
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    }),
  );
}
