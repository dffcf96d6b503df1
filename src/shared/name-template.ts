/** A name with one variable in it, such as `review_{language}`. */
export interface NameTemplate {
  readonly text: string;
  readonly variable: string;
  /** The value of the variable in a name; undefined for a name of another form. */
  match(name: string): string | undefined;
}

const ONE_VARIABLE = /^(?<before>[^{}]*)\{(?<variable>[A-Za-z_$][\w$]*)\}(?<after>[^{}]*)$/;

/** Undefined for a text that has not exactly one variable. */
export function parseNameTemplate(text: string): NameTemplate | undefined {
  const parts = ONE_VARIABLE.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { before = '', variable = '', after = '' } = parts;
  return Object.freeze({
    text,
    variable,
    match: (name: string) => {
      const isOther = !name.startsWith(before) || !name.endsWith(after);
      if (isOther || name.length <= before.length + after.length) return undefined;
      return name.slice(before.length, name.length - after.length);
    },
  });
}
