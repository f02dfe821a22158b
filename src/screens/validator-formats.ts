import { formats as own } from '#engine'

const day = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** Formats by name for compiled validators: our own and the few of JSON Schema that definitions may use. */
export const formats: Readonly<Record<string, (value: string) => boolean>> = {
  ...own,
  date: day,
  email: value => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value),
  uri: value => URL.canParse(value),
}
