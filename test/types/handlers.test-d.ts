import {
  Action,
  content,
  Inject,
  success,
  ToolContext,
  type CallToolResult,
  type JsonSchema,
} from 'toolwright';
import { z } from 'zod';

class Task {
  id!: string;
  title!: string;
  due?: Date;
  tags!: readonly string[];
}
class Workspace {
  workspaceId!: string;
}
class Clock {
  now(): number {
    return 0;
  }
}

const Search = z.object({
  text: z.string(),
  max: z.coerce.number().default(10),
  since: z.string().transform((text) => new Date(text)),
  tags: z.array(z.string()).readonly(),
  nested: z.object({ size: z.number().optional() }),
});
type Search = z.infer<typeof Search>;
declare const json: JsonSchema;

export class Inputs {
  @Action({ input: Search }) same(input: Search) {
    return input.text;
  }
  @Action({ input: Search }) some(input: { text: string; since: Date }) {
    return input;
  }
  @Action({ input: Search }) partial(input: Partial<Search>) {
    return input;
  }
  @Action({ input: Search }) withCommon(input: Search & Workspace) {
    return input;
  }
  @Action({ input: Search }) writable(input: { tags: string[]; nested: { size: number } }) {
    return input;
  }
  @Action({ input: Search }) open(input: Record<string, unknown>) {
    return input;
  }
  @Action({ input: Search }) unknownInput(input: unknown) {
    return input;
  }
  @Action({ input: Search }) nothing() {
    return 1;
  }
  @Action({ input: Search }) contextOnly(ctx: ToolContext) {
    return ctx.signal;
  }
  @Action({ input: Search }) injectedOnly(@Inject(Clock) clock: Clock) {
    return clock.now();
  }
  @Action({ input: Search }) more(ctx: ToolContext, input: Search, @Inject(Clock) clock: Clock) {
    return [ctx, input, clock.now()];
  }
  @Action({ input: Task }) ofClass(input: Task & Workspace) {
    return input;
  }
  @Action({ input: json }) ofJson(input: { anything: number }) {
    return input;
  }
  @Action({ input: { type: 'object', properties: { a: { type: 'string' } } } }) ofLiteral(input: {
    a: string;
  }) {
    return input;
  }
  @Action('A description alone') described(input: Task) {
    return input;
  }
  @Action() bare(input: Task) {
    return input;
  }

  // @ts-expect-error: the schema gives a text
  @Action({ input: Search }) otherField(input: { text: number }) {
    return input;
  }
  // @ts-expect-error: the schema gives a date
  @Action({ input: Search }) notTransformed(input: { since: string }) {
    return input;
  }
  // @ts-expect-error: the schema gives a number
  @Action({ input: Search }) otherNested(input: { nested: { size: string } }) {
    return input;
  }
  // @ts-expect-error: the schema gives an object
  @Action({ input: Search }) noObject(input: string) {
    return input;
  }
}

interface Entity extends Task {
  readonly createdBy: string;
}
declare const task: Task;
declare const entity: Entity;
const Counted = z.object({ count: z.number() });

export class Outputs {
  @Action({ output: Task }) same() {
    return task;
  }
  @Action({ output: Task }) async later() {
    return Promise.resolve(entity);
  }
  @Action({ output: Task }) plain() {
    return { id: 'a', title: 'b', tags: ['c'] as const };
  }
  @Action({ output: Task }) due() {
    return { id: 'a', title: 'b', tags: [], due: '2026-01-31' };
  }
  @Action({ output: Task }) partial(): Partial<Task> | undefined {
    return {};
  }
  @Action({ output: Task }) made(): CallToolResult | Task {
    return success('a');
  }
  @Action({ output: Task }) blocks() {
    return content('a');
  }
  @Action({ output: Task }) never(): never {
    throw new Error('a');
  }
  @Action({ output: Task }) unsaid(): unknown {
    return 5;
  }
  @Action({ output: Task }) *progress(): Generator<number, Task> {
    yield 1;
    return task;
  }
  @Action({ output: Task }) async *later2(ctx: ToolContext): AsyncGenerator<string, Task> {
    yield await Promise.resolve(String(ctx.signal.aborted));
    return task;
  }
  @Action({ output: Counted }) counted() {
    return { count: 1 };
  }
  @Action({ output: z.array(Counted) }) list() {
    return [{ count: 1 }];
  }
  @Action({ output: z.object({ at: z.iso.datetime() }) }) dated() {
    return { at: new Date() };
  }
  @Action({ output: z.record(z.string(), z.number()) }) mapped() {
    return new Map([['a', 1]]);
  }
  @Action({ output: json }) ofJson() {
    return 5;
  }

  // @ts-expect-error: the output is an object
  @Action({ output: Task }) number() {
    return 5;
  }
  // @ts-expect-error: the output is an object
  @Action({ output: Task }) async laterNumber() {
    return Promise.resolve(5);
  }
  // @ts-expect-error: one of the results is none
  @Action({ output: Task }) sometimes(): Task | string {
    return 'none';
  }
  // @ts-expect-error: an id is a text
  @Action({ output: Task }) otherField() {
    return { id: 1, title: 'a', tags: [] };
  }
  // @ts-expect-error: a generator gives what it returns
  @Action({ output: Task }) *progressOnly(): Generator<Task, number> {
    yield task;
    return 1;
  }
  // @ts-expect-error: a count is a number
  @Action({ output: Counted }) text() {
    return { count: 'many' };
  }
  // @ts-expect-error: the items are objects
  @Action({ output: z.array(Counted) }) texts() {
    return ['a'];
  }
}
