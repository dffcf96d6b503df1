import { useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../contract.ts';
import { connect } from '../state/connection.ts';

interface Props {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isCompleted: boolean;
  /** All arguments that are known. */
  readonly values: Readonly<Record<string, string>>;
  /** The prompt or template (spec: server/utilities/completion). */
  readonly reference: JsonObject;
  /** Undefined: absent. */
  onValue(value: string | undefined): void;
}

/** A text for which the server proposes values. */
export function CompletedInput(props: Props) {
  const { name, description, isRequired, isCompleted, values, reference, onValue } = props;
  const [proposed, setProposed] = useState<readonly string[]>([]);
  const latest = useRef(0);
  const id = `argument-${name}`;
  const propose = async (value: string): Promise<void> => {
    if (!isCompleted) return;
    const { [name]: _own, ...others } = values;
    const turn = (latest.current += 1);
    const client = await connect();
    const answer = await client.complete(reference, { name, value }, others);
    // An answer to an earlier text may come after that to a later one
    if (turn === latest.current) setProposed(answer.values);
  };
  const type = (value: string): void => {
    onValue(value === '' && !isRequired ? undefined : value);
    propose(value).catch(() => setProposed([]));
  };
  return (
    <div
      class="field"
      data-testid="field"
      data-path={name}
      data-state={values[name] === undefined ? 'absent' : 'text'}
    >
      <div class="field-head">
        <label for={id}>
          <code>{name}</code>
          {isRequired ? (
            <span class="required">
              *<span class="unseen"> required</span>
            </span>
          ) : null}
        </label>
        {isCompleted ? <span class="faint aside">completed by the server</span> : null}
      </div>
      <input
        id={id}
        data-testid="input"
        list={isCompleted ? `${id}-values` : undefined}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        placeholder={values[name] === undefined ? 'not sent' : ''}
        value={values[name] ?? ''}
        onFocus={(event) => void propose(event.currentTarget.value).catch(() => undefined)}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {isCompleted ? (
        <datalist id={`${id}-values`} data-testid="proposed">
          {proposed.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      ) : null}
      <p class="hint" dir="auto" id={`${id}-hint`}>
        {description}
      </p>
    </div>
  );
}
