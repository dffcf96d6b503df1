import { isOneEdit, readSynonyms, readWords } from './words.ts';

/** A text of a document, and how much its words count. */
export interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

/** A document that was found. */
export interface FoundDocument {
  /** Its place among the documents of the index. */
  readonly document: number;
  readonly score: number;
}

/** The documents that a search looks at. */
export interface IndexView {
  /** 1 for each document that is seen. */
  readonly isSeen: Uint8Array;
  readonly count: number;
  readonly averageLength: number;
}

/** The documents of one word, and how much the word counts in each. */
interface Posting {
  readonly documents: number[];
  readonly counts: number[];
}

/** BM25: how soon the repetition of a word counts less, and how much the length of a document does. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** What a word counts that is only similar to the one that is looked for. */
const EDIT_SHARE = 0.5;
/** What another verb for the same counts. */
const SYNONYM_SHARE = 0.6;
const MIN_EDIT_LENGTH = 5;
const MIN_PREFIX_LENGTH = 3;
/** A longer word stands for one that it begins with: `changed` for `change`, `repository` for `repo`. */
const MIN_STEM_LENGTH = 4;
/** Characters of a query that are read. */
const MAX_QUERY_LENGTH = 200;

/**
 * Finds documents by their words, the best first (BM25). All that is counted is counted over the documents of a view, so
 * that order and scores are those of an index that has no others: what is not seen leaves no trace.
 *
 * @example
 * const index = new WordIndex([[{ text: 'Find customers', weight: 1 }], [{ text: 'Delete a note', weight: 1 }]]);
 * index.search('customer', index.view([0, 1])); // [{ document: 0, score: 0.69… }]
 */
export class WordIndex {
  readonly #postings = new Map<string, Posting>();
  readonly #lengths: readonly number[];
  /** All words in their order, for those that begin with a word. */
  readonly #sorted: readonly string[];
  /** By length, for those that are nearly a word. */
  readonly #byLength = new Map<number, string[]>();

  constructor(documents: readonly (readonly WeightedText[])[]) {
    this.#lengths = documents.map((texts, document) => this.#add(texts, document));
    this.#sorted = [...this.#postings.keys()].sort();
    for (const word of this.#sorted) {
      const alike = this.#byLength.get(word.length);
      if (alike === undefined) this.#byLength.set(word.length, [word]);
      else alike.push(word);
    }
  }

  /** @returns the length of the document */
  #add(texts: readonly WeightedText[], document: number): number {
    const counts = new Map<string, number>();
    let length = 0;
    for (const { text, weight } of texts)
      for (const word of readWords(text)) {
        counts.set(word, (counts.get(word) ?? 0) + weight);
        // Long details are no reason to find a document later
        length += weight * weight;
      }
    for (const [word, count] of counts) {
      const posting = this.#postings.get(word) ?? { documents: [], counts: [] };
      this.#postings.set(word, posting);
      posting.documents.push(document);
      posting.counts.push(count);
    }
    return length;
  }

  view(documents: Iterable<number>): IndexView {
    const isSeen = new Uint8Array(this.#lengths.length);
    for (const document of documents) isSeen[document] = 1;
    let [count, length] = [0, 0];
    for (const [document, own] of this.#lengths.entries()) {
      if (isSeen[document] !== 1) continue;
      count += 1;
      length += own;
    }
    return { isSeen, count, averageLength: count === 0 ? 0 : length / count };
  }

  /** All that match, the best first; equal ones in the order of the index. */
  search(query: string, view: IndexView): readonly FoundDocument[] {
    const words = [...new Set(readWords(query.slice(0, MAX_QUERY_LENGTH)))];
    const scores = new Map<number, number>();
    for (const word of words) {
      const best = this.#scoresFor(this.#alternatives(word, view), view);
      for (const [document, score] of best) scores.set(document, (scores.get(document) ?? 0) + score);
    }
    return [...scores]
      .map(([document, score]) => ({ document, score }))
      .sort((left, right) => right.score - left.score || left.document - right.document);
  }

  /** What a word counts in each document: of several words that it may stand for, the best. */
  #scoresFor(alternatives: ReadonlyMap<string, number>, view: IndexView): ReadonlyMap<number, number> {
    const { isSeen, count, averageLength } = view;
    const best = new Map<number, number>();
    for (const [word, share] of alternatives) {
      const { documents, counts } = this.#postings.get(word) as Posting;
      const known = this.#countSeen(word, view);
      const rarity = Math.log(1 + (count - known + 0.5) / (known + 0.5));
      for (const [at, document] of documents.entries()) {
        if (isSeen[document] !== 1) continue;
        const often = counts[at] as number;
        const relative = (this.#lengths[document] as number) / averageLength;
        const damped = often + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative);
        const score = (share * rarity * often * (SATURATION + 1)) / damped;
        if (score > (best.get(document) ?? 0)) best.set(document, score);
      }
    }
    return best;
  }

  /** The words of the view that a word stands for, each with its share. */
  #alternatives(word: string, view: IndexView): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    const take = (other: string, share: number): void => {
      if (this.#countSeen(other, view) > 0) found.set(other, share);
    };
    if (word.length >= MIN_PREFIX_LENGTH)
      for (const longer of this.#beginningWith(word)) take(longer, word.length / longer.length);
    for (let length = MIN_STEM_LENGTH; length < word.length; length += 1)
      take(word.slice(0, length), length / word.length);
    for (const synonym of readSynonyms(word)) if (!found.has(synonym)) take(synonym, SYNONYM_SHARE);
    take(word, 1);
    if (found.size > 0 || word.length < MIN_EDIT_LENGTH) return found;
    for (const length of [word.length - 1, word.length, word.length + 1])
      for (const other of this.#byLength.get(length) ?? [])
        if (isOneEdit(word, other)) take(other, EDIT_SHARE);
    return found;
  }

  *#beginningWith(start: string): Iterable<string> {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] as string) < start) low = middle + 1;
      else high = middle;
    }
    for (; this.#sorted[low]?.startsWith(start) === true; low += 1) yield this.#sorted[low] as string;
  }

  /** How many documents of the view have the word. */
  #countSeen(word: string, { isSeen }: IndexView): number {
    let count = 0;
    for (const document of this.#postings.get(word)?.documents ?? []) count += isSeen[document] as number;
    return count;
  }
}
