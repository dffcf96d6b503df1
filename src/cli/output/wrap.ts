import { stripVTControlCharacters } from 'node:util';

/** Breaks lines between words where they are longer than the width, and begins each further one as the first begins. */
export function wrap(text: string, width: number, indent = ''): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width, indent))
    .join('\n');
}

function wrapLine(line: string, width: number, indent: string): string {
  const start = /^\s*/.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  for (const word of line.slice(start.length).split(' ')) {
    const next = current === '' ? word : `${current} ${word}`;
    const before = lines.length === 0 ? start : start + indent;
    if (current !== '' && before.length + lengthOf(next) > width) {
      lines.push(before + current);
      current = word;
    } else current = next;
  }
  return [...lines, (lines.length === 0 ? start : start + indent) + current].join('\n');
}

/** Characters that a terminal shows. */
export function lengthOf(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

/** What a list shows of a text. */
export function firstLine(text: string): string {
  const [line = ''] = text.split(/[\r\n]/);
  return line;
}

/** Names on the left and texts on the right; below each other where the width has no room for two columns. */
export function columns(
  rows: readonly (readonly [name: string, text: string])[],
  width: number,
  indent = '  ',
): string {
  const left = Math.max(0, ...rows.map(([name]) => lengthOf(name)));
  const room = width - indent.length - left - 2;
  if (room < Math.max(24, width / 3)) {
    return rows
      .map(([name, text]) => {
        const head = wrap(`${indent}${name}`, width, '    ');
        const below = text.replaceAll('\n', `\n${indent}  `);
        return text === '' ? head : `${head}\n${wrap(`${indent}  ${below}`, width)}`;
      })
      .join('\n');
  }
  return rows
    .map(([name, text]) => {
      if (text === '') return `${indent}${name}`;
      const [first = '', ...others] = wrap(text, room).split('\n');
      const start = `${indent}${name}${' '.repeat(left - lengthOf(name) + 2)}`;
      return [start + first, ...others.map((line) => ' '.repeat(indent.length + left + 2) + line)].join('\n');
    })
    .join('\n');
}
