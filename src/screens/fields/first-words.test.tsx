import '@testing-library/jest-dom/vitest'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { beforeEach, expect, test, vi } from 'vitest'
import '../../../tests/helper/screens-page.tsx'
import { wire } from '../../../tests/helper/screens-wire.ts'
import { DictSelect } from './DictSelect.tsx'
import { DictText } from './DictText.tsx'
import { learn } from './first-words.ts'

/** What the file with the words of all dictionaries waits for. */
const all = vi.hoisted(() => ({ load: (): Promise<unknown[]> => Promise.resolve([]) }))
vi.mock('virtual:dictionaries', async () => ({ dictionaries: await all.load() }))

const lamp = { code: 'lamp_state', entries: { 0: '关', 1: '开' }, type: 'integer' } as const
const bulb = { code: 'bulb_state', entries: { 0: '冷', 1: '热' }, type: 'integer' } as const

beforeEach(() => {
  wire.seen.length = 0
  wire.answer = () => ({ data: [{ dictKey: 1, dictValue: '炽热', isSealed: 0 }] })
})

const draw = (page: React.ReactNode) =>
  render(
    <App>
      <QueryClientProvider client={new QueryClient()}>{page}</QueryClientProvider>
    </App>,
  )

test('words that a definition brought are shown before the server has answered', () => {
  learn([lamp])
  draw(<DictText code="lamp_state" value={1} />)
  expect(screen.getByText('开')).toBeVisible()
})

test('of a dictionary that nobody brought nothing is shown until its words are here; then its keys are numbers', async () => {
  let come: (words: unknown[]) => void = () => {}
  const words = new Promise<unknown[]>(resolve => {
    come = resolve
  })
  all.load = () => words
  const chosen: unknown[] = []
  draw(
    <>
      <p data-testid="word">
        <DictText code="bulb_state" value={1} />
      </p>
      <DictSelect code="bulb_state" value={undefined} onChange={value => chosen.push(value)} />
    </>,
  )
  expect(screen.getByTestId('word')).toBeEmptyDOMElement()
  expect(wire.seen).toEqual([])
  come([lamp, bulb])
  await vi.waitFor(() => expect(screen.getByTestId('word')).toHaveTextContent('炽热'))
  await userEvent.click(screen.getByRole('combobox'))
  await userEvent.click(await screen.findByTitle('炽热'))
  expect(chosen).toEqual([1])
})
