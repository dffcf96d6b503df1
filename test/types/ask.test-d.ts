import type { Answer, JsonSchema, ToolContext } from 'toolwright';
import { z } from 'zod';

class Contact {
  email!: string;
}

declare const ctx: ToolContext;
declare const schema: JsonSchema;

export const ofClass: Promise<Answer<Contact>> = ctx.ask(Contact, 'Who?');
export const ofZod: Promise<Answer<{ email: string }>> = ctx.ask(z.object({ email: z.email() }), 'Who?');
export const ofJson: Promise<Answer<{ email: string }>> = ctx.ask<{ email: string }>(schema, 'Who?');
export const unsaid: Promise<Answer<unknown>> = ctx.ask(schema, 'Who?');

// @ts-expect-error: the content is there only when the user accepted
export type Early = Answer<Contact>['content'];

// @ts-expect-error: the class says what the content is
export const wrong: Promise<Answer<{ phone: string }>> = ctx.ask(Contact, 'Who?');
