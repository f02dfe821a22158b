import { useMemo } from 'react'
import { daysOffOf, type Resource, suggestedValues, suggestionChangesOf } from '#engine'
import { suggesting } from './contract.ts'
import { isEmpty, type WireRow } from './fields/props.ts'
import { inputsOf, type Values } from './form-values.ts'
import { useEndpoint } from './parts/use-endpoint.ts'

/**
 * What a form suggests now, by input: values for inputs that hold nothing, and for those that were counted from something that has been
 * changed since the form was opened.
 * @param row the row being edited, or null for a new one
 */
export function useSuggestions(
  resource: Resource,
  row: WireRow | null,
  values: Values,
): Readonly<Record<string, string>> {
  const isAsked = inputsOf(resource).some(input => input.suggest)
  const { data } = useEndpoint(suggesting, { form: resource.entity.name }, { enabled: isAsked, pass: 'all' })
  return useMemo(() => {
    // Another server may answer the call with something of its own.
    if (!data?.daysOff) return {}
    const [isOff, changes] = [daysOffOf(data.daysOff), suggestionChangesOf(data.changes)]
    const now = suggestedValues(resource, values, isOff, changes)
    const before = suggestedValues(resource, row ?? {}, isOff, changes)
    const shown = Object.entries(now).filter(([name, value]) =>
      isEmpty(values[name]) ? true : values[name] !== value && value !== before[name],
    )
    return Object.fromEntries(shown)
  }, [data, resource, row, values])
}
