import { beforeEach, describe, expect, test } from '@jest/globals';
import { tour } from '../support/toured.ts';

const toured = tour('support-desk');

async function callAs(subject: string, roles: string, scopes?: string): Promise<void> {
  const { tab } = toured;
  await tab.go('');
  await tab.page.getByLabel('subject').fill(subject);
  await tab.page.getByLabel('tenant').fill('łódź');
  await tab.page.getByLabel('roles').fill(roles);
  if (scopes !== undefined) await tab.page.getByLabel('scopes').fill(scopes);
  await tab.page.getByTestId('call-as').click();
  await ready();
}

/** Once the page shows what the chosen caller sees: what another one saw goes as soon as it is chosen. */
async function ready(): Promise<void> {
  await toured.tab.page.locator('[data-testid="frame"][data-state="ready"]').waitFor();
}

const LIMITED = /rate|again|limit/i;

describe.each(['2025', '2026'] as const)('in era %s', (era) => {
  beforeEach(() => toured.tab.chooseEra(era));

  test('a caller that was made up opens a ticket, which another one does not see', async () => {
    const { tab } = toured;
    await callAs(`ann-${era}`, '');
    await tab.openAction('tickets', 'open');
    await tab.typeJson({ customer: 'Zoë', subject: 'It is "broken"', paid: 900 });
    const opened = JSON.parse(await tab.call()) as { readonly ticket: number };
    expect(opened).toMatchObject({ assignee: `ann-${era}`, customer: 'Zoë' });
    await tab.openAction('tickets', 'list');
    await tab.startCall();
    await tab.ended();
    await tab.page.getByTestId('result-structured').click();
    expect(await tab.page.getByTestId('json-text').innerText()).toContain('It is \\"broken\\"');
    await callAs(`sam-${era}`, '');
    await tab.openAction('tickets', 'read');
    await tab.field('ticket').fill(String(opened.ticket));
    await tab.startCall();
    expect(await tab.ended()).toBe('failed');
    expect(await tab.content()).toContain('You have no such ticket');
  });

  test('money is paid back once a person agrees, and not when the person declines', async () => {
    const { tab } = toured;
    await callAs(`lee-${era}`, 'lead');
    await tab.openAction('tickets', 'open');
    await tab.typeJson({ customer: 'Zoë', subject: 'Refund', paid: 900 });
    const { ticket } = JSON.parse(await tab.call()) as { readonly ticket: number };
    await tab.openAction('refunds', 'pay');
    expect(await tab.page.getByRole('region', { name: 'Inside' }).innerText()).toMatch(
      /masked[\s\S]*account/,
    );
    const refund = { ticket, amount: 300, account: 'DE02120300000000202051' };
    await tab.typeJson({ ...refund, idempotencyKey: `first-${era}` });
    await tab.startCall();
    await tab.question.getByTestId('decline').click();
    expect(await tab.ended()).toBe('failed');
    await tab.typeJson({ ...refund, idempotencyKey: `second-${era}` });
    await tab.startCall();
    await tab.field('agreed', 'input', tab.question).selectOption({ label: 'true' });
    await tab.question.getByTestId('accept').click();
    expect(JSON.parse(await tab.content())).toMatchObject({ amount: 300 });
  });

  test('a check that passes says what a call meets besides', async () => {
    const { tab } = toured;
    await tab.openAction('tickets', 'reply');
    await tab.typeJson({ ticket: 1, text: 'We look into it' });
    expect(await tab.check()).toEqual({ state: 'ok', text: '' });
    const rest = tab.page.getByTestId('not-checked');
    expect(await rest.innerText()).toMatch(
      /the policy OwnTickets decides about this one call; at most \d+ calls/,
    );
    await tab.openAction('refunds', 'pay');
    await tab.typeJson({ ticket: 1, amount: 300, account: 'DE89370400440532013000', idempotencyKey: 'k' });
    expect(await tab.check()).toEqual({ state: 'ok', text: '' });
    expect(await rest.innerText()).toContain('a person agrees first (the client asks)');
    expect(await tab.page.getByTestId('result').getAttribute('data-state')).toBe('idle');
  });

  test('a limit that is reached says so', async () => {
    const { tab } = toured;
    await callAs(`max-${era}`, 'lead');
    await tab.openAction('tickets', 'reply');
    await tab.typeJson({ ticket: 1, text: 'We look into it' });
    let answer = '';
    // Three are allowed in a minute, and a machine may be so busy that the minute goes by
    for (let call = 0; !LIMITED.test(answer) && call < 30; call += 1) answer = await tab.call();
    expect(await tab.ended()).toBe('failed');
    expect(answer).toMatch(LIMITED);
  });
});

test('each caller sees its own view: who has no role is not offered what needs one', async () => {
  const { tab } = toured;
  const rows = (): Promise<readonly string[]> => tab.page.getByTestId('row').allInnerTexts();
  expect((await rows()).join()).toContain('forget');
  await tab.page.getByTestId('caller').selectOption('nothing');
  await ready();
  expect((await rows()).join()).not.toContain('forget');
  await tab.page.getByTestId('model-column').getByText('tok').first().waitFor();
  await tab.go('tool/tickets/forget');
  await tab.page.getByText('is not offered, or not to this caller').waitFor();
  await tab.openAction('tickets', 'open');
  await tab.typeJson({ customer: 'Zoë', subject: 'x' });
  tab.provoke('status of 403');
  await tab.startCall();
  expect(await tab.ended()).toBe('failed');
  expect(await tab.page.getByTestId('result').innerText()).toContain('tickets:write');
  // The browser says so of every refused request
  expect(tab.provoked).toHaveLength(1);
});
