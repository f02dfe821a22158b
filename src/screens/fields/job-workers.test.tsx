import '@testing-library/jest-dom/vitest'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { JobInfo } from '#schemas/jobs/job-info'
import '../../../tests/helper/screens-page.tsx'
import { type Said, type Seen, wire } from '../../../tests/helper/screens-wire.ts'
import { FieldInput } from './inputs.tsx'

const own = [
  { name: 'host-1', isHere: true },
  { name: 'host-2', isHere: false },
]

beforeEach(() => {
  wire.seen.length = 0
  wire.answer = ({ query }: Seen): Said => ({ data: query.jobServerId === '1' ? own : [] })
})

let kept: string | undefined

function Workers({ server, value: initial }: { server: string; value?: string }) {
  const [value, setValue] = useState<unknown>(initial)
  kept = value as string | undefined
  return (
    <App>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <FieldInput
          as="jobWorkers"
          id="workers"
          name="designatedWorkers"
          field={JobInfo.properties.designatedWorkers}
          value={value}
          onChange={setValue}
          beside={server}
        />
      </QueryClientProvider>
    </App>
  )
}

const asked = () => waitFor(() => expect(wire.seen.some(({ path }) => path.endsWith('/workers'))).toBe(true))

test('processes are chosen from those that are alive; one that has ended is named as such', async () => {
  render(<Workers server="1" value="host-9" />)
  expect(await screen.findByText('host-9（已退出）')).toBeVisible()
  await userEvent.click(screen.getByRole('combobox'))
  await userEvent.click(await screen.findByTitle('host-1（当前进程）'))
  await userEvent.click(await screen.findByTitle('host-2'))
  expect(kept).toBe('host-9,host-1,host-2')
  await userEvent.keyboard('other{Enter}')
  expect(kept).toBe('host-9,host-1,host-2')
})

test('workers of a server that this program does not see are typed', async () => {
  render(<Workers server="2" />)
  await asked()
  await userEvent.type(screen.getByRole('combobox'), '10.0.0.1:27777,10.0.0.2:27777,')
  expect(kept).toBe('10.0.0.1:27777,10.0.0.2:27777')
})
