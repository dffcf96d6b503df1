import { useState } from 'preact/hooks';
import type { ExploredAction, ExploredTool } from '../../../contract.ts';
import { JsonEditor } from '../../fields/json-editor.tsx';
import { ABSENT, type Draft, draftOf, memberOf, withMember } from '../../form/draft.ts';
import { isObject } from '../../form/field.ts';
import { type Form, textOf, typedText } from '../../state/drafts.ts';

interface Props {
  readonly tool: ExploredTool;
  readonly action: ExploredAction;
  readonly form: Form;
}

/** The `_meta` keys of a list entry and of a call: which versions there are, and which are wanted. */
const VERSIONS = 'toolwright/versions';

/** What a call says besides its input: a version of the action, and anything else in `_meta`. */
export function CallMeta({ tool, action, form }: Props) {
  const versions = versionsOf(tool, action);
  const { value: typed } = form.meta;
  const [isOpen, setOpen] = useState(typed.draft.kind !== 'absent');
  return (
    <>
      {versions.length < 2 ? null : (
        <label class="row">
          <span class="label">version</span>
          <select
            class="short"
            data-testid="version"
            value={wantedOf(typed.draft, action)}
            onChange={(event) =>
              (form.meta.value = { draft: wanting(typed.draft, action, event.currentTarget.value) })
            }
          >
            <option value="">as listed ({action.version})</option>
            {versions.map((version) => (
              <option key={version} value={version}>
                {version}
              </option>
            ))}
          </select>
        </label>
      )}
      <details data-testid="call-meta" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>_meta of the call</summary>
        {isOpen ? (
          <JsonEditor
            label="_meta of the call as JSON"
            text={textOf(typed)}
            onText={(text) =>
              (form.meta.value = text.trim() === '' ? { draft: ABSENT, text } : typedText(text))
            }
          />
        ) : null}
      </details>
    </>
  );
}

/** What is wrong with the `_meta` that was typed. */
export function metaFault(draft: Draft): string | undefined {
  return draft.kind === 'object' || draft.kind === 'absent' ? undefined : '_meta is an object of JSON';
}

function versionsOf({ definition }: ExploredTool, { key }: ExploredAction): readonly string[] {
  const { _meta: meta } = definition;
  const versions = isObject(meta) ? meta[VERSIONS] : undefined;
  const known = isObject(versions) ? versions[key] : undefined;
  return Array.isArray(known) ? known.map(String) : [];
}

function wantedOf(meta: Draft, { key }: ExploredAction): string {
  const wanted = memberOf(memberOf(meta, VERSIONS), key);
  return wanted.kind === 'text' ? wanted.text : '';
}

function wanting(meta: Draft, { key }: ExploredAction, version: string): Draft {
  const next = withMember(memberOf(meta, VERSIONS), key, version === '' ? ABSENT : draftOf(version));
  const isEmpty = next.kind === 'object' && next.members.length === 0;
  const whole = withMember(meta, VERSIONS, isEmpty ? ABSENT : next);
  return whole.kind === 'object' && whole.members.length === 0 ? ABSENT : whole;
}
