import { formats as own } from '#engine'

/** Formats by name for compiled validators: our own and the few of JSON Schema that definitions may use. */
export const formats: Readonly<Record<string, (value: string) => boolean>> = {
  ...own,
  uri: value => URL.canParse(value),
}
