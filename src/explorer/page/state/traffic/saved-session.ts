import { signal } from '@preact/signals';
import { knownApplication } from '../application.ts';
import { maskMessage, maskPassed } from './masked-message.ts';
import { goTo } from '../route.ts';
import { type Failure, failureOf } from '../session.ts';
import {
  LARGEST_SESSION,
  readSession,
  type SavedSession,
  SessionFault,
  writeSession,
} from './session-file.ts';
import { spans } from './timeline.ts';

/** A session from a file, shown in the place of what happens now. */
export const opened = signal<(SavedSession & { readonly file: string }) | undefined>(undefined);
export const openFailure = signal<Failure | undefined>(undefined);

/** Gives the timeline as a file. What became known as a secret since it was kept is masked as well. */
export function saveSession(): void {
  const { name = 'unknown', version = '' } = knownApplication.value?.server ?? {};
  const savedAt = new Date().toISOString();
  const kept = spans.value.map((span) => ({
    ...span,
    subject: String(maskMessage(span.subject, undefined)),
    messages: span.messages.map((passed) => maskPassed(passed, span.messages[0]?.message)),
  }));
  const text = writeSession({ server: { name, version }, savedAt, spans: kept });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  link.download = `${name.replaceAll(/[^\w.-]+/g, '-')}-${savedAt.replaceAll(/[:.]/g, '-')}.jsonl`;
  link.click();
  // The download has begun once the click was handled
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function openSession(file: File): Promise<void> {
  openFailure.value = undefined;
  try {
    if (file.size > LARGEST_SESSION) throw new SessionFault('The file is too large for a session.');
    opened.value = { ...readSession(await file.text()), file: file.name };
    goTo('#/traffic');
  } catch (error) {
    openFailure.value = { ...failureOf(error), fix: 'Choose a file that "save session" wrote.' };
  }
}
