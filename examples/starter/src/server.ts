import { McpApplication, Module } from 'toolwright';
import { NoteStore } from './note-store.ts';
import { NotesController } from './notes-controller.ts';

@Module({ controllers: [NotesController], providers: [NoteStore] })
export class AppModule {}

/** What the command `toolwright` serves, checks and calls. Each client gets the tools in the form that fits it. */
export default () => McpApplication.create(AppModule, { name: 'starter', version: '0.1.0', surface: 'auto' });
