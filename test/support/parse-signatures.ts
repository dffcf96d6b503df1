/** A parameter as a signature says it. */
export interface ReadParameter {
  readonly name: string;
  readonly isOptional: boolean;
  /** `phone`, of `number (if kind="phone")`. */
  readonly condition: string | undefined;
  readonly type: string | undefined;
  readonly default: string | undefined;
}

export interface ReadSignature {
  readonly key: string;
  readonly parameters: readonly ReadParameter[];
  /** The part behind the parenthesis. */
  readonly rest: string;
}

/** What a description with signatures says, as a reader would take it: the shared fields, and each action. */
export function parseSignatures(description: string): {
  readonly shared: readonly ReadParameter[];
  readonly actions: readonly ReadSignature[];
} {
  const [, ...lines] = description.split('\n');
  const shared = lines.flatMap((line) => {
    const [, verb, list = ''] = /^All (need|take): (.*)\.$/.exec(line) ?? [];
    return splitList(list).map((text) => parseParameter(verb === 'take' ? `${text}?` : text));
  });
  const signatures = lines.filter((line) => !/^(?:# |All (?:need|take): )/.test(line));
  return { shared, actions: signatures.map(parseSignature) };
}

function parseSignature(line: string): ReadSignature {
  const [name = ''] = /^"(?:[^"\\]|\\.)*"|^[^(]+/.exec(line) ?? [];
  const end = closingOf(line, name.length);
  const list = line.slice(name.length + 1, end);
  return {
    key: unquoted(name),
    parameters: splitList(list).flatMap((text) => shapeMembers(text).map(parseParameter)),
    rest: line.slice(end + 1),
  };
}

/** The members of `(card, cvc) | iban`; any other parameter by itself. */
function shapeMembers(text: string): readonly string[] {
  const parts = splitAt(text, ' | ');
  if (parts.length < 2 && !text.startsWith('(')) return [text];
  return parts.flatMap((part) => (part.startsWith('(') ? splitList(part.slice(1, -1)) : [part]));
}

function parseParameter(text: string): ReadParameter {
  const [name = ''] = /^"(?:[^"\\]|\\.)*"|^[^?:= ]+/.exec(text) ?? [];
  const rest = text.slice(name.length);
  const [, condition] = / \(if (.*)\)$/.exec(rest) ?? [];
  const rules = rest.replace(/ \(if .*\)$/, '');
  const [type = '', ...value] = splitAt(rules.replace(/^\?/, '').replace(/^: /, ''), '=');
  return {
    name: unquoted(name),
    isOptional: rules.startsWith('?') || value.length > 0 || condition !== undefined,
    condition,
    type: type === '' ? undefined : type,
    default: value.length === 0 ? undefined : value.join('='),
  };
}

function unquoted(text: string): string {
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

function closingOf(line: string, start: number): number {
  let [depth, index] = [0, start];
  for (; index < line.length; index += 1) {
    const letter = line.charAt(index);
    if (letter === '"') index += (/^"(?:[^"\\]|\\.)*"/.exec(line.slice(index))?.[0].length ?? 1) - 1;
    else if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) depth -= 1;
    if (depth === 0 && letter === ')') break;
  }
  return index;
}

function splitList(text: string): readonly string[] {
  return text === '' ? [] : splitAt(text, ', ');
}

/** Splits outside of strings and brackets. */
function splitAt(text: string, separator: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const rest = text.slice(index);
    const string = /^"(?:[^"\\]|\\.)*"/.exec(rest)?.[0];
    if (depth === 0 && string === undefined && rest.startsWith(separator)) {
      parts.push('');
      index += separator.length - 1;
      continue;
    }
    const piece = string ?? rest.charAt(0);
    if ('([{'.includes(piece)) depth += 1;
    if (')]}'.includes(piece)) depth -= 1;
    parts.push(`${parts.pop() ?? ''}${piece}`);
    index += piece.length - 1;
  }
  return parts;
}
