import { readFileSync } from 'node:fs'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { lock } from '../../src/platform/http/browser/lock.ts'
import { session } from '../../src/platform/http/browser/session.ts'
import { startLanguage } from '../../src/platform/i18n/i18n.ts'
import { openingOf } from '../../src/screens/window/menu-path.ts'
import EmbeddedPage from '../../src/web/chrome/EmbeddedPage.tsx'
import { lockMark, opens } from '../../src/web/chrome/lock-mark.ts'
import { browserFiles } from '../helper/tree.ts'
import { tokens } from '../helper/wire.ts'

// The numbered weaknesses of consoles of this family, and what holds against each: the browser's part. The server ends sessions that
// rest (auth-session.test.ts) and tells browsers what pages may load (weak-rest.test.ts).

const address = `https://report.example.org/designer?blade-auth=bearer ${'$'}{token}&x={{token}}`
vi.mock(import('../../src/screens/providers/rights.ts'), async original => ({
  ...(await original()),
  useRights: () => ({ rights: { names: new Map([[address, '报表']]) } }) as never,
}))

beforeAll(() => startLanguage())
beforeEach(() => {
  session.clear()
  session.begin(tokens('geheim-1'))
})
afterEach(cleanup)

const sources = browserFiles
  .filter(name => /\.(tsx?|js|html|css|svg)$/.test(name))
  .map(name => [name, readFileSync(name, 'utf8')] as const)

/** The places in the browser's program that look like something. */
const places = (...patterns: readonly RegExp[]): string[] => {
  expect(sources.length).toBeGreaterThan(300)
  return sources.flatMap(([name, text]) =>
    patterns.flatMap(one => (one.test(text) ? [`${name} ${one.exec(text)}`] : [])),
  )
}

test('6 · tokens are in no cookie and no address, stored texts are never run, and a lock holds no password', async () => {
  const mark = await lockMark('geheim-1')
  lock.on(mark)
  expect(document.cookie).toContain(mark)
  for (const text of [document.cookie, location.href, JSON.stringify({ ...sessionStorage }), mark, window.name])
    expect(text).not.toContain('geheim-1')
  expect(
    Object.keys(localStorage)
      .filter(name => localStorage.getItem(name)?.includes('geheim-1'))
      .sort(),
  ).toEqual(['juxian-access-token', 'juxian-refresh-token'])
  expect([await opens(mark, 'geheim-1'), await opens(mark, 'geheim-2'), await opens(mark, '')]).toEqual([
    true,
    false,
    false,
  ])
  expect(await lockMark('geheim-1')).not.toBe(mark)
  session.clear()
  expect([document.cookie, JSON.stringify({ ...localStorage }).includes('geheim-1')]).toEqual(['', false])
  const run = [
    /\beval\s*\(/,
    /\bnew Function\b/,
    /\bset(Timeout|Interval)\(\s*['"`]/,
    /\bdocument\.write\b/,
    /javascript:/,
  ]
  expect(places(...run)).toEqual([])
  expect(places(/[?&](blade-auth|(access_|refresh_)?token)=/i)).toEqual([])
})

test.each([1, 2])('8 · a menu leads to the address as it was typed: no token is put into it (opening %i)', isOpen => {
  const { to, isWindow } = openingOf({ path: address, code: 'report', isOpen })
  expect(isWindow).toBe(isOpen === 2)
  expect(decodeURIComponent(to).endsWith(address)).toBe(true)
  if (isWindow) return
  render(
    <MemoryRouter initialEntries={[to]}>
      <Routes>
        <Route path="/myiframe/:routerPath" element={<EmbeddedPage />} />
      </Routes>
    </MemoryRouter>,
  )
  expect(screen.getByTitle('报表').getAttribute('src')).toBe(address)
})

test('31 · pages name no address of another system, and no stand-in for the server goes with them', () => {
  const outside = [
    /(?:src|href|action)\s*=\s*["'](?:https?:)?\/\//i,
    /url\(\s*["']?(?:https?:)?\/\//i,
    /@import\s+["'(]*(?:url)?[("']*(?:https?:)?\/\//i,
    /\bimport\(\s*["'`](?:https?:)?\/\//,
    /\bfrom\s+["'](?:https?:)?\/\//,
  ]
  expect(places(...outside)).toEqual([])
  expect(places(/from ['"][^'"]*(mock|msw|miragejs)/i, /\binterceptors\.(request|response)\.use\([^)]*mock/i)).toEqual(
    [],
  )
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(Object.keys(dependencies).filter(name => /mock|msw|mirage/.test(name))).toEqual([])
})
