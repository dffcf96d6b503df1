import { describe, expect, test } from '@jest/globals';
import { McpApplication } from 'toolwright';
import { countToolTokens } from 'toolwright/tokens';
import { estimateTokens } from '../../src/shared/token-estimate.ts';
import { createCrm } from '../support/crm-app.ts';

describe('the estimate of tokens', () => {
  test.each(['plain', 'signatures'] as const)('is near to the tokens of a list: %s', async (describe) => {
    const app = await McpApplication.create(createCrm(describe));
    const { tokens } = await countToolTokens(app.definitions);
    const estimate = estimateTokens(JSON.stringify(app.definitions));
    expect(estimate / tokens).toBeGreaterThan(0.8);
    expect(estimate / tokens).toBeLessThan(1.25);
    await app.close();
  });

  test('counts each letter of other scripts', () => {
    expect(estimateTokens('abcdefgh')).toBe(2);
    expect(estimateTokens('请求书')).toBe(3);
    expect(estimateTokens('')).toBe(0);
  });
});
