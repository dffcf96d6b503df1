import { expect, test } from '@jest/globals';
import { Resources } from '../../src/sign-in/resources.ts';

const URL_OF_ALL = 'https://mcp.example/mcp';

test('the URL of a surface stands for the resource', () => {
  const resources = new Resources(URL_OF_ALL);
  for (const end of ['', '/', '/flat', '/grouped-by-risk/'])
    expect(resources.find(`${URL_OF_ALL}${end}`)).toBe(URL_OF_ALL);
  for (const end of ['/flatt', '/flat/flat', 'flat'])
    expect(resources.find(`${URL_OF_ALL}${end}`)).toBeUndefined();
});

test('a resource may itself end like a surface', () => {
  expect(new Resources('https://mcp.example/flat').find('https://mcp.example/flat')).toBe(
    'https://mcp.example/flat',
  );
  expect(new Resources('https://mcp.example/flat').find('https://mcp.example')).toBeUndefined();
});

test('the URL of a surface is one of a tenant', () => {
  const resources = new Resources('https://mcp.example/{tenant}/mcp');
  expect(resources.find('https://mcp.example/acme/mcp/flat')).toBe('https://mcp.example/acme/mcp');
  expect(resources.tenantOf('https://mcp.example/acme/mcp')).toBe('acme');
});
