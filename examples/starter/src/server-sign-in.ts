import { McpApplication, Module } from 'toolwright';
import { oidc } from 'toolwright/sign-in';
import { NoteStore } from './note-store.ts';
import { NotesController } from './notes-controller.ts';

@Module({ controllers: [NotesController], providers: [NoteStore] })
export class AppModule {}

const { RESOURCE, ISSUER, CLIENT_ID, CLIENT_SECRET, SECRET } = process.env;

/** Where people sign in. Without variables it is `npm run provider`, which lets everybody in, on this computer alone. */
const signIn = oidc({
  issuer: ISSUER ?? 'http://127.0.0.1:4000',
  clientId: CLIENT_ID ?? 'starter',
  clientSecret: CLIENT_SECRET ?? 'for this computer only',
});

/** What the command `toolwright` serves, checks and calls. Over HTTP, only people who signed in are let in. */
export default () =>
  McpApplication.create(AppModule, {
    name: 'starter',
    version: '0.1.0',
    surface: 'auto',
    // The keys of tokens and cookies are made of it. Without it they are new at each start, and people sign in again
    ...(SECRET === undefined ? {} : { secrets: [SECRET] }),
    auth: { resource: RESOURCE ?? 'http://127.0.0.1:3000/mcp', signIn },
  });
