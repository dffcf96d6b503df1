/** How an operator of a template writes its variables (RFC 6570, appendix A). */
interface Style {
  readonly first: string;
  readonly between: string;
  readonly isNamed: boolean;
  readonly ifEmpty: string;
  readonly keepsReserved: boolean;
}

const PLAIN: Style = { first: '', between: ',', isNamed: false, ifEmpty: '', keepsReserved: false };
const STYLES: Readonly<Record<string, Style>> = {
  '': PLAIN,
  '+': { ...PLAIN, keepsReserved: true },
  '#': { ...PLAIN, first: '#', keepsReserved: true },
  '.': { ...PLAIN, first: '.', between: '.' },
  '/': { ...PLAIN, first: '/', between: '/' },
  ';': { ...PLAIN, first: ';', between: ';', isNamed: true },
  '?': { ...PLAIN, first: '?', between: '&', isNamed: true, ifEmpty: '=' },
  '&': { ...PLAIN, first: '&', between: '&', isNamed: true, ifEmpty: '=' },
};
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

/** The names of the variables, each once. */
export function variablesOf(template: string): readonly string[] {
  return [...new Set([...template.matchAll(EXPRESSION)].flatMap(([, , list = '']) => namesOf(list)))];
}

function namesOf(list: string): readonly string[] {
  return list.split(',').map((name) => name.replace(/(\*|:\d+)$/, ''));
}

/** The URI of a template, every variable of which is one text; absent ones are left out (RFC 6570, section 3.2). */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(EXPRESSION, (_, operator: string, list: string) => {
    const style = STYLES[operator] ?? PLAIN;
    const parts = list.split(',').flatMap((variable) => {
      const [, name = variable, length] = /^(.*?)(?:\*|:(\d+))?$/.exec(variable) ?? [];
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return value === undefined
        ? []
        : [
            partOf(
              name,
              Array.from(value)
                .slice(0, Number(length ?? Infinity))
                .join(''),
              style,
            ),
          ];
    });
    return parts.length === 0 ? '' : style.first + parts.join(style.between);
  });
}

function partOf(name: string, value: string, style: Style): string {
  const text = style.keepsReserved ? encodeKept(value) : encodeAll(value);
  if (!style.isNamed) return text;
  return value === '' ? `${name}${style.ifEmpty}` : `${name}=${text}`;
}

function encodeAll(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Reserved characters and what is encoded already stay. */
function encodeKept(text: string): string {
  return text.replace(/%[\da-f]{2}|[:/?#[\]@!$&'()*+,;=]|[^:/?#[\]@!$&'()*+,;=%]+|%/gi, (piece) =>
    /^(?:%[\da-f]{2}|[:/?#[\]@!$&'()*+,;=])$/i.test(piece) ? piece : encodeAll(piece),
  );
}
