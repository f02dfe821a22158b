import { readFileSync } from 'node:fs'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { longText, richText, text } from '#engine'
import '../helper/screens-page.tsx'
import { Cell } from '../../src/screens/fields/cells.tsx'
import { SafeHtml } from '../../src/screens/fields/SafeHtml.tsx'
import { harmIn, isLive, markup } from '../helper/markup.ts'
import { browserFiles } from '../helper/tree.ts'

// What somebody hostile writes into texts that others read, as our pages show it. The server cleans it when it is saved; here it
// comes as it was written.

test('B15 · most of the vectors run where nothing is done about them, and all look harmful', () => {
  expect(markup.filter(isLive).length).toBeGreaterThan(35)
  expect(markup.filter(one => harmIn(one).length > 0).length).toBeGreaterThan(55)
})

test.each(markup)('B15 · formatted text shows nothing that runs: %j', html => {
  const { container } = render(<SafeHtml html={html} />)
  expect(harmIn(container.innerHTML)).toEqual([])
  expect(isLive(container.innerHTML)).toBe(false)
})

test.each(['table', 'detail'] as const)('B15 · other texts stand as they are written (%s)', where => {
  for (const field of [text('名称'), longText('备注')]) {
    const cells = markup.map(html => <Cell key={html} name="x" field={field} row={{ x: html }} where={where} />)
    const { container, unmount } = render(<div>{cells}</div>)
    expect(harmIn(container.innerHTML)).toEqual([])
    for (const html of markup) expect(container.textContent).toContain(html)
    unmount()
  }
  const lines = markup.map(html => (
    <Cell key={html} name="x" field={richText('正文')} row={{ x: html }} where="table" />
  ))
  expect(harmIn(render(<div>{lines}</div>).container.innerHTML)).toEqual([])
})

test.each(['javascript:boom()', ' JavaScript:boom()', 'data:text/html,x', 'vbscript:boom()'])(
  'B15 · an address that would run is no link: %s',
  address => {
    const row = { x: address }
    const { container } = render(<Cell as="link" name="x" field={text('网址')} row={row} where="table" />)
    expect(container.querySelector('a')).toBeNull()
  },
)

test('B15 · no page writes HTML but through the one that cleans it', () => {
  const writes =
    /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|createContextualFragment/
  const found = browserFiles.filter(file => /\.tsx?$/.test(file) && writes.test(readFileSync(file, 'utf8')))
  expect(found).toEqual([])
})
