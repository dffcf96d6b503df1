/** What is in at most one roster at a time, which keeps its place there. */
export interface Rostered {
  /** Undefined outside of any. */
  place: number | undefined;
}

/** What is under way. A set would hash each that comes and goes, which costs more than most else of a short call. */
export class Roster<Member extends Rostered> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** False where it was not in it. */
  delete(member: Member): boolean {
    const { place } = member;
    if (place === undefined || this.#members[place] !== member) return false;
    member.place = undefined;
    const last = this.#members.pop();
    if (last !== undefined && last !== member) {
      last.place = place;
      this.#members[place] = last;
    }
    return true;
  }

  /** Those that are in it now, which may leave it meanwhile. */
  all(): readonly Member[] {
    return [...this.#members];
  }
}
