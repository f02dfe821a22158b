import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import type { AnswerOf } from '#engine'
import { SchoolType } from '#schemas/dictionaries/exam'
import { call } from '../../../platform/http/browser/call.ts'
import { schools } from '../../contract.ts'
import { aria, type InputProps, textOf } from './props.ts'

/** Milliseconds of quiet typing before schools are asked for. */
const QUIET = 250

/** A school's name: known ones are offered while one types, any other may be written. */
export function SchoolInput(props: InputProps): ReactNode {
  const { id, field, value, onChange, disabled } = props
  const text = useDeferredValue(textOf(value).trim())
  const { data = [] } = useQuery<AnswerOf<typeof schools>>({
    queryKey: ['schools', text],
    enabled: text.length > 0 && !disabled,
    staleTime: 600_000,
    placeholderData: before => before,
    retry: false,
    queryFn: async ({ signal }) => {
      await new Promise(done => setTimeout(done, QUIET))
      if (signal.aborted) return []
      return call(schools, { schoolName: text, schoolType: SchoolType.college }, { signal, pass: 'all' })
    },
  })
  const list = `${id}-list`
  return (
    <>
      <input
        id={id}
        className="in"
        list={list}
        autoComplete="off"
        value={textOf(value)}
        disabled={disabled}
        maxLength={field.maxLength}
        onChange={event => onChange(event.target.value)}
        {...aria(props)}
      />
      <datalist id={list}>
        {data.map(one => (
          <option key={one.id} value={one.schoolName} />
        ))}
      </datalist>
    </>
  )
}
