import { McpApplication, Module } from 'toolwright';
import { apiKeys } from 'toolwright/auth';
import { keys } from './api-keys.ts';
import { NoteStore } from './note-store.ts';
import { NotesController } from './notes-controller.ts';

@Module({ controllers: [NotesController], providers: [NoteStore] })
export class AppModule {}

const verify = apiKeys({ find: (hash) => keys.get(hash) });

/** What the command `toolwright` serves, checks and calls. Over HTTP, only clients with a key are let in. */
export default () =>
  McpApplication.create(AppModule, {
    name: 'starter',
    version: '0.1.0',
    surface: 'auto',
    auth: { verify },
  });
