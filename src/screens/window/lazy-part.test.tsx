import { act, render, screen } from '@testing-library/react'
import { startTransition, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { soon } from '../../../tests/helper/soon.ts'
import { lazyPart } from './lazy-page.ts'

const Page = ({ name }: { name: string }) => <p>page {name}</p>

test('a part stands as a skeleton until it is here, and at once where it has come before', async () => {
  let come = (_: { default: typeof Page }): void => undefined
  let asked = 0
  const part = lazyPart<{ name: string }>(() => {
    asked++
    return new Promise(done => {
      come = done
    })
  })
  const { rerender } = render(<part.Component name="a" />)
  expect(screen.queryByText('page a')).toBeNull()
  expect(screen.getByRole('status', { name: '加载中' })).toBeTruthy()
  await act(async () => come({ default: Page }))
  expect(screen.getByText('page a')).toBeTruthy()
  rerender(<part.Component key="other" name="b" />)
  expect(screen.getByText('page b')).toBeTruthy()
  await part.load()
  expect(asked).toBe(1)
})

test('a part that comes between the drawing of its skeleton and what follows it is drawn', async () => {
  // As a browser does it: what follows a drawing has its turn after promises that are kept meanwhile.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const part = lazyPart<{ name: string }>(async () => ({ default: Page }))
  function Window() {
    useLayoutEffect(() => void part.load(), [])
    return <part.Component name="c" />
  }
  const place = document.createElement('div')
  const root = createRoot(place)
  root.render(<Window />)
  await expect.poll(() => place.textContent).toBe('page c')
  root.unmount()
  vi.unstubAllGlobals()
})

test('a part that has come does not wait for what is drawn by and by', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  let come: (() => void) | undefined
  const part = lazyPart<{ name: string }>(
    () =>
      new Promise(bring => {
        come = () => bring({ default: Page })
      }),
  )
  let begun = 0
  function Slow() {
    begun++
    for (const end = performance.now() + 10; performance.now() < end; );
    return 'slow '
  }
  let draw = (): void => undefined
  function Window() {
    const [isTime, set] = useState(false)
    draw = () => startTransition(() => set(true))
    return (
      <>
        <part.Component name="d" />
        {isTime && Array.from({ length: 60 }, (_, at) => <Slow key={String(at)} />)}
      </>
    )
  }
  const place = document.createElement('div')
  const root = createRoot(place)
  root.render(<Window />)
  await soon(() => expect(come).toBeDefined())
  draw()
  await vi.waitFor(() => expect(begun).toBeGreaterThan(0), { interval: 5 })
  come?.()
  await vi.waitFor(() => expect(place.textContent).toContain('page d'), { interval: 1 })
  expect(place.textContent).not.toContain('slow')
  root.unmount()
  vi.unstubAllGlobals()
})
