/** A server in several files, which needs the types of parameters and properties. */
export const NOTES: Readonly<Record<string, string>> = {
  'server.ts': `
import { McpApplication } from 'toolwright';
import { NotesModule } from './notes.js';

const app = await McpApplication.create(NotesModule, { name: 'notes', logger: () => {} });
const { content } = await app.call('notes', { action: 'add', text: 'milk', color: 'red', level: 1 });
console.log(app.surfaceHash, content[0].text.replace(/\\s+/g, ' '));
await app.close();
`,
  'notes.ts': `
import { IsEnum, IsOptional, IsString } from 'class-validator';
import { Action, Field, Module, ToolGroup } from 'toolwright';
import { Clock } from './clock';
import { Color, Level } from './kinds';

class Note {
  @IsString() @Field('What to remember') text!: string;
  @IsEnum(Color) color!: Color;
  @IsOptional() @IsEnum(Level) level?: Level;
}

@ToolGroup({ name: 'notes', description: 'Notes' })
class Notes {
  constructor(private readonly clock: Clock) {}

  @Action('Add a note') add(note: Note) {
    return { at: this.clock.now(), ...note };
  }
}

@Module({ controllers: [Notes], providers: [Clock] })
export class NotesModule {}
`,
  'clock/index.ts': `
import { Injectable } from 'toolwright';

@Injectable()
export class Clock {
  now(): number {
    return 5;
  }
}
`,
  'kinds.ts': `
export enum Color { Red = 'red', Blue = 'blue' }
export enum Level { Low = 1, High }
`,
};
