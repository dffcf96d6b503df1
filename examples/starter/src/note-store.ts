import { Injectable } from 'toolwright';

export interface Note {
  readonly id: number;
  readonly text: string;
}

/** Keeps notes in memory. `npm run dev` keeps what is in it while other files are edited. */
@Injectable()
export class NoteStore {
  private readonly notes = new Map<number, Note>();
  private nextId = 1;

  list(): readonly Note[] {
    return [...this.notes.values()];
  }

  add(text: string): Note {
    const note = { id: this.nextId++, text };
    this.notes.set(note.id, note);
    return note;
  }

  remove(id: number): boolean {
    return this.notes.delete(id);
  }
}
