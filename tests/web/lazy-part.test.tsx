import { act, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, test } from 'vitest'
import { lazyPart } from '../../src/web/chrome/lazy-page.ts'

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
  // It is here as soon as it is asked for: before the effects of what was drawn without it.
  const part = lazyPart<{ name: string }>(async () => ({ default: Page }))
  let isAsked = false
  function Window() {
    useLayoutEffect(() => {
      if (!isAsked) void part.load()
      isAsked = true
    })
    return <part.Component name="c" />
  }
  await act(async () => {
    render(<Window />)
  })
  expect(await screen.findByText('page c')).toBeTruthy()
})
