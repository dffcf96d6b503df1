/** A group that is open, in instructions. */
interface Group {
  /** However often it is repeated: for reading it. */
  once: number;
  /** Of all copies, the last piece excepted. */
  copies: number;
  /** Of the piece that a repetition would repeat. */
  last: number;
  /** Of the group itself. */
  readonly frame: number;
}

/** A class of characters that is open. */
interface CharacterClass {
  once: number;
  copy: number;
  /** The character that a range may start with. */
  first: number | undefined;
  isRange: boolean;
}

// Bounded, because the search for a missing closing brace would be repeated again and again
const TOKEN = /\(\?:|\\[pP](?:\{[^}]{0,64}\}|[^])|\\[ux]\{[^}]{0,64}\}|\\[^]|\{\d{1,8}(?:,\d{0,8})?\}|[^]/gu;
const REPEAT = /^\{(\d+)(?:,(\d*))?\}$/;
const SET = /^\\[dDwWsSpP]/;
const IGNORES_CASE = /\(\?[a-zA-Z]*i/;

const CAPTURE = 3;
// As measured: there are some 700 ranges behind a property of Unicode
const PROPERTY = { once: 60, copy: 13 };
// The engine looks for the other cases of every single character of a range
const CHARACTERS_PER_INSTRUCTION = 48;
const LAST_WITH_CASES = 125_251;

/**
 * The maximum cost of compiling a regular expression, in instructions: repetitions are copies, so a few letters
 * can stand for a million. Nothing is compiled, and the text need not be a valid regular expression.
 */
export function patternCost(source: string, ignoresCase: boolean): number {
  const scale = new PatternScale(ignoresCase || IGNORES_CASE.test(source));
  for (const [token] of source.matchAll(TOKEN)) scale.add(token);
  return scale.total();
}

class PatternScale {
  readonly #ignoresCase: boolean;
  readonly #outer: Group[] = [];
  #group = groupOf(CAPTURE);
  #class: CharacterClass | undefined;

  constructor(ignoresCase: boolean) {
    this.#ignoresCase = ignoresCase;
  }

  add(token: string): void {
    if (this.#class !== undefined) this.#addToClass(token, this.#class);
    else if (token.length > 1) this.#addLong(token);
    else this.#addOne(token);
  }

  total(): number {
    if (this.#class !== undefined) this.#addToClass(']', this.#class);
    while (this.#outer.length > 0) this.#close();
    const { once, copies, last } = this.#group;
    return once + copies + last;
  }

  #addOne(token: string): void {
    switch (token) {
      case '[':
        this.#class = { once: 1, copy: 1, first: undefined, isRange: false };
        return;
      case '(':
        this.#open(CAPTURE);
        return;
      case ')':
        this.#close();
        return;
      case '|':
        this.#piece(0, 2);
        return;
      case '*':
      case '+':
      case '?':
        this.#group.last += 2;
        return;
      default:
        this.#piece(0, 1);
    }
  }

  #addLong(token: string): void {
    const repeat = REPEAT.exec(token);
    if (token === '(?:') this.#open(1);
    else if (/^\\[pP]/.test(token)) this.#piece(PROPERTY.once, PROPERTY.copy);
    else if (repeat === null) this.#piece(0, 1);
    else {
      const copies = Math.max(1, Number(repeat[1]), Number(repeat[2] ?? 0));
      this.#group.last = copies * (this.#group.last + 1) + 2;
    }
  }

  #piece(once: number, copy: number): void {
    this.#group.once += once;
    this.#group.copies += this.#group.last;
    this.#group.last = copy;
  }

  #open(frame: number): void {
    this.#outer.push(this.#group);
    this.#group = groupOf(frame);
  }

  /** An unmatched bracket is treated as closing the whole pattern, the cheapest assumption that is safe. */
  #close(): void {
    const { once, copies, last, frame } = this.#group;
    this.#group = this.#outer.pop() ?? groupOf(CAPTURE);
    this.#piece(once, copies + last + frame);
  }

  #addToClass(token: string, open: CharacterClass): void {
    if (token === ']') {
      this.#class = undefined;
      this.#piece(open.once, open.copy);
    } else if (SET.test(token)) {
      const { once, copy } = /^\\[pP]/.test(token) ? PROPERTY : { once: 3, copy: 0 };
      Object.assign(open, {
        once: open.once + once,
        copy: open.copy + copy,
        first: undefined,
        isRange: false,
      });
    } else if (token === '-' && open.first !== undefined && !open.isRange) {
      open.isRange = true;
    } else {
      this.#addMember(codePointOf(token), open);
    }
  }

  #addMember(character: number, open: CharacterClass): void {
    const { first = character, isRange } = open;
    const width = Math.max(0, Math.min(character, LAST_WITH_CASES) - first);
    open.once += 0.25 + (isRange && this.#ignoresCase ? width / CHARACTERS_PER_INSTRUCTION : 0);
    open.first = isRange ? undefined : character;
    open.isRange = false;
  }
}

function groupOf(frame: number): Group {
  return { once: 0, copies: 0, last: 0, frame };
}

function codePointOf(token: string): number {
  const [, digits] = /^\\[ux]\{(.*)\}$/u.exec(token) ?? [];
  return digits === undefined
    ? (token.codePointAt(token.length > 1 ? 1 : 0) ?? 0)
    : Number.parseInt(digits, 16);
}
