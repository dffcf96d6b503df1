import { Badge, Empty, Ready } from '../parts/basic.tsx';
import { lock } from '../state/application.ts';

const LEVELS = ['breaking', 'risky', 'safe'] as const;
const MEANING = { breaking: 'destroys', risky: 'asks', safe: 'reads' } as const;

/** How what is offered differs from the lock. */
export function LockPage() {
  return (
    <article data-testid="lock-page">
      <h2>Difference to the lock</h2>
      <Ready of={lock.value}>
        {({ state, message, changes }) => {
          if (state === 'missing')
            return (
              <Empty title="There is no lock" code="toolwright lock server.ts">
                A lock keeps what is offered, so that a change shows here.
              </Empty>
            );
          if (state === 'unknown')
            return (
              <Empty title="Nothing compares with a lock" code="toolwright dev server.ts">
                The command does, when it serves the application.
              </Empty>
            );
          if (state === 'unreadable') return <p class="issue">The lock cannot be read: {message}</p>;
          if (changes.length === 0) return <p class="good">✓ What is offered is what the lock has.</p>;
          return (
            <>
              <p class="row">
                {LEVELS.map((level) => {
                  const count = changes.filter((change) => change.level === level).length;
                  return count === 0 ? null : (
                    <Badge key={level} meaning={MEANING[level]}>
                      {count} {level}
                    </Badge>
                  );
                })}
              </p>
              <ol class="changes">
                {changes.map((change) => (
                  <li key={`${change.rule} ${change.where} ${change.message}`}>
                    <Badge meaning={MEANING[change.level]}>{change.level}</Badge>
                    <span>
                      <code class="long">{change.where}</code> {change.message}
                    </span>
                  </li>
                ))}
              </ol>
            </>
          );
        }}
      </Ready>
    </article>
  );
}
