import { parameterOf } from '#schemas/parameters'
import { useT } from '../../platform/i18n/i18n.ts'
import type { CellProps } from './props.ts'

/** The value of a system parameter in words: the chosen one, or the number with its unit. */
export function ParameterText({ row, value }: CellProps) {
  const t = useT()
  const parameter = parameterOf(String(row.paramKey))
  const text = String(value)
  const word = parameter?.choices?.[text]
  if (word) return <>{t(word)}</>
  return <>{parameter?.unit ? `${text} ${t(parameter.unit)}` : text}</>
}
