import { expect, test } from '@jest/globals';
import { faultOfUrl } from '../../../src/client/sign-in/ask.ts';

const PUBLIC = 'https://mcp.example/mcp';

test.each([
  'https://127.0.0.1/',
  'https://localhost./',
  'https://a.localhost/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest',
  'https://192.168.1.1/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fd00::1]/',
  'https://2130706433/',
])('a server elsewhere does not lead the doctor to %s', (url) => {
  expect(faultOfUrl(url, PUBLIC)).toMatch(/machine that asks/);
});

test.each([
  ['https://1.1.1.1/', PUBLIC],
  ['https://id.example/', PUBLIC],
  ['https://10.0.0.2/', 'https://10.0.0.1/mcp'],
  ['http://127.0.0.1:1/', 'http://localhost:2/mcp'],
])('it goes to %s, as it was named by %s', (url, typed) => {
  expect(faultOfUrl(url, typed)).toBeUndefined();
});
