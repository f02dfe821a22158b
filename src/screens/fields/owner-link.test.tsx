import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { text } from '#engine'
import { Cell } from './cells.tsx'

const show = (ownerType: string, ownerId: string) =>
  render(<Cell field={text('归属主键')} name="ownerId" row={{ ownerId, ownerType }} where="table" as="owner" />, {
    wrapper: MemoryRouter,
  })

test('a file leads to what it belongs to where that has a page', async () => {
  show('photo', '41')
  expect((await screen.findByRole('link', { name: '41' })).getAttribute('href')).toBe('/examine/info/41')
  show('notice', '42')
  expect((await screen.findByRole('link', { name: '42' })).getAttribute('href')).toBe('/notice/preview/42')
  show('bill', '43')
  expect(await screen.findByText('43')).toBeDefined()
  expect(screen.queryByRole('link', { name: '43' })).toBeNull()
})
