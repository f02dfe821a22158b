import { loaders } from 'virtual:form-validators'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { resources } from '#resources'
import RecordForm from '../../src/web/screens/RecordForm.tsx'
import './screens-page.tsx'

const param = resources.find(one => one.name === 'param')!

async function show(onSubmit: (values: object) => void = () => {}) {
  const compiled = await loaders.param!()
  function Form() {
    const [values, setValues] = useState<Record<string, unknown>>({})
    return (
      <RecordForm
        resource={param}
        compiled={compiled}
        row={null}
        values={values}
        onChange={setValues}
        onSubmit={onSubmit}
        refused={{}}
      >
        <button type="submit">save</button>
      </RecordForm>
    )
  }
  render(<Form />)
}

test('blur messages', async () => {
  await show()
  const name = screen.getByLabelText('参数名称')
  name.focus()
  fireEvent.blur(name)
  await waitFor(() => expect(screen.getAllByRole('alert').map(one => one.textContent)).toEqual(['请输入参数名称']))
})
