import { useState } from 'preact/hooks';
import type { CheckAnswer, ExploredAction, ExploredTool } from '../../contract.ts';
import { faultOf } from '../form/draft.ts';
import { fieldOf, firstDraft } from '../form/field.ts';
import { Badge, Copy, Mark, Problem, useKeys } from '../parts/basic.tsx';
import { FieldView } from '../parts/field-view.tsx';
import { JsonEditor } from '../parts/json-editor.tsx';
import { calls } from '../state/calls.ts';
import { type Form, formOf, textOf, typedText } from '../state/drafts.ts';
import { meaningOf, MEANINGS } from '../state/offers.ts';
import { argumentsOf, callAction, checkAction } from '../state/send-action.ts';
import type { Failure } from '../state/session.ts';
import { search } from '../frame/tree.tsx';
import { readFault } from '../form/read-draft.ts';
import { Inside } from './inside.tsx';
import { ResultView } from './result-view.tsx';

interface Props {
  readonly tool: ExploredTool;
  readonly action: ExploredAction;
}

/** An action: what it is, and trying it. */
export function ActionView({ tool, action }: Props) {
  const place = `tool/${tool.name}/${action.key}`;
  const form = formOf(place, () => {
    const first = firstDraft(fieldOf(action.inputSchema, action.inputSchema), action.inputSchema);
    return first.kind === 'object' ? first : { kind: 'object', members: [] };
  });
  const [asTask, setTask] = useState(action.task === 'required');
  const fault = faultOf(form.typed.value.draft);
  const call = calls.value.get(place);
  const isRunning = call?.state === 'running';
  const run = (): void => {
    if (fault === undefined && !isRunning) void callAction(tool, action, { form, place, asTask });
  };
  const check = (): void => {
    if (fault === undefined) void checkAction(tool, action, form);
  };
  useKeys((event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (event.shiftKey) check();
    else run();
  });
  return (
    <article data-testid="action" data-state={call?.state ?? 'idle'}>
      <Head tool={tool} action={action} />
      <Input action={action} form={form} />
      {fault === undefined ? null : (
        <p class="issue" data-testid="fault">
          {fault.path === '' ? '' : `${fault.path}: `}
          {fault.message}. It cannot be sent like this.
        </p>
      )}
      <div class="row actions">
        <button type="button" data-testid="check" disabled={fault !== undefined} onClick={check}>
          check <kbd>⌘⇧⏎</kbd>
        </button>
        <button
          type="button"
          class="primary"
          data-testid="call"
          disabled={fault !== undefined || isRunning}
          onClick={run}
        >
          call <kbd>⌘⏎</kbd>
        </button>
        {action.task === undefined ? null : (
          <label>
            <input
              type="checkbox"
              data-testid="as-task"
              checked={asTask}
              disabled={action.task === 'required'}
              onChange={(event) => setTask(event.currentTarget.checked)}
            />{' '}
            as a task
          </label>
        )}
        <span class="space" />
        {fault === undefined ? <Copies tool={tool} action={action} form={form} /> : null}
      </div>
      <CheckResult answer={form.check.value} />
      <ResultView call={call} />
      <Inside inside={action.inside} />
      {action.outputSchema === undefined ? null : (
        <details>
          <summary>output schema</summary>
          <pre tabIndex={0}>{JSON.stringify(action.outputSchema, undefined, 2)}</pre>
        </details>
      )}
      <details>
        <summary>input schema</summary>
        <pre tabIndex={0}>{JSON.stringify(action.inputSchema, undefined, 2)}</pre>
      </details>
    </article>
  );
}

function Head({ tool, action }: Props) {
  const meaning = meaningOf(action);
  const badges = [
    action.isIdempotent ? 'idempotent' : undefined,
    action.isOpenWorld ? 'open world' : undefined,
    action.task === undefined ? undefined : 'task',
    action.version === undefined ? undefined : `v${action.version}`,
  ].filter((badge) => badge !== undefined);
  return (
    <header>
      <h2>
        {tool.name}
        {action.key === '' ? '' : `.${action.key}`} <Mark meaning={meaning} />
        <Badge meaning={meaning}>{MEANINGS[meaning].word}</Badge>
        {badges.map((badge) => (
          <Badge key={badge}>{badge}</Badge>
        ))}
      </h2>
      {action.title === undefined ? null : <p class="strong">{action.title}</p>}
      <p class="prose">{action.description}</p>
      {action.deprecated === undefined ? null : <p class="issue">deprecated: {action.deprecated.message}</p>}
      {action.confirm === undefined ? null : <p class="faint">A person agrees first: {action.confirm}</p>}
      {action.tags.length === 0 ? null : (
        <p class="row">
          {action.tags.map((tag) => (
            <button key={tag} type="button" class="quiet" onClick={() => (search.value = `tag:${tag}`)}>
              #{tag}
            </button>
          ))}
        </p>
      )}
    </header>
  );
}

/** The form and the JSON: two views of one value. */
function Input({ action, form }: { readonly action: ExploredAction; readonly form: Form }) {
  const schema = action.inputSchema;
  const { value: typed } = form.typed;
  const answer = form.check.value;
  const issues = new Map(
    answer !== undefined && 'issues' in answer
      ? answer.issues.map(({ path, message }) => [path, message] as const)
      : [],
  );
  const text = textOf(typed);
  const fault = readFault(text);
  const fixed = JSON.stringify(action.fixedArguments);
  const isEmpty =
    Object.keys(schema['properties'] ?? {}).length === 0 && schema['additionalProperties'] === false;
  return (
    <section aria-label="Input">
      <div class="tabs" role="group" aria-label="View of the input">
        {(['form', 'json'] as const).map((view) => (
          <button
            key={view}
            type="button"
            data-testid={`view-${view}`}
            aria-pressed={form.view.value === view}
            onClick={() => (form.view.value = view)}
          >
            {view}
          </button>
        ))}
        <span class="space" />
        {fixed === '{}' ? null : <code class="faint">with {fixed}</code>}
      </div>
      {form.view.value === 'json' ? (
        <>
          <JsonEditor
            label="Input as JSON"
            text={text}
            onText={(next) => (form.typed.value = typedText(next))}
          />
          {fault === undefined ? null : (
            <p class="issue">
              not JSON at line {fault.line}, column {fault.column}
            </p>
          )}
        </>
      ) : isEmpty && typed.draft.kind === 'object' && typed.draft.members.length === 0 ? (
        <p class="faint">It takes no input.</p>
      ) : (
        <div data-testid="form" class="root">
          <FieldView
            name="input"
            path=""
            schema={schema}
            root={schema}
            draft={typed.draft}
            isRequired
            issues={issues}
            onDraft={(draft) => (form.typed.value = { draft })}
          />
        </div>
      )}
    </section>
  );
}

function CheckResult({ answer }: { readonly answer: CheckAnswer | Failure | undefined }) {
  if (answer === undefined) return <div role="status" data-testid="checked" data-state="idle" />;
  if ('what' in answer) return <Problem failure={answer} />;
  return (
    <div role="status" data-testid="checked" data-state={answer.ok ? 'ok' : 'refused'}>
      {answer.ok ? (
        <p class="good">✓ The check lets it pass; nothing was called.</p>
      ) : (
        <>
          <p class="issue">What a client would get:</p>
          <pre tabIndex={0}>{answer.text}</pre>
        </>
      )}
    </div>
  );
}

/** The call in other forms, to copy. */
function Copies({ tool, action, form }: Props & { readonly form: Form }) {
  const json = (): string => JSON.stringify(argumentsOf(action, form.typed.value.draft));
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const body = (): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool.name)},"arguments":${json()}}}`;
  const headers = `-H 'content-type: application/json' -H 'accept: application/json, text/event-stream'`;
  const test = (): string =>
    `test('answers ${tool.name} ${action.key}', async () => {\n  const result = await app.callTool(${JSON.stringify(tool.name)}, ${json()});\n  expect(result.isError).not.toBe(true);\n});`;
  return (
    <>
      <span class="faint">copy as</span>
      <Copy text={() => `toolwright call server.ts ${tool.name} --input ${quoted(json())}`}>command</Copy>
      <Copy text={() => `curl ${quoted(`${location.origin}/mcp`)} ${headers} --data ${quoted(body())}`}>
        curl
      </Copy>
      <Copy text={test}>test</Copy>
      <Copy text={() => JSON.stringify(argumentsOf(action, form.typed.value.draft), undefined, 2)}>JSON</Copy>
    </>
  );
}
