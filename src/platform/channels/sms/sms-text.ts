/** Characters of one text message, and of each part when it takes several. */
const single = 70
const part = 67

/** How many messages a text is charged as. */
export function segmentsOf(text: string): number {
  const length = [...text].length
  return length <= single ? 1 : Math.ceil(length / part)
}

/** A value's place in a template: `{code}`, or `${code}` as some providers write it. */
const place = /\$?\{([^{}]{1,30})\}/g

/** Names in the braces of a template, `您的验证码是{code}`, in the order of their first use. */
export function paramsOf(template: string): string[] {
  return [...new Set([...template.matchAll(place)].map(([, name = '']) => name.trim()))]
}

/** Names of a template that have no value. */
export const missingParams = (template: string, params: Readonly<Record<string, string>>): string[] =>
  paramsOf(template).filter(name => !params[name]?.trim())

/** Names of a template that nothing is given for. An empty value that is given leaves its place empty. */
export const ungivenParams = (template: string, params: Readonly<Record<string, string>>): string[] =>
  paramsOf(template).filter(name => params[name] === undefined)

/** A template with its values put in. Values are plain text: braces in them mean nothing. */
export const fillTemplate = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(place, (_all, name: string) => params[name.trim()] ?? '')

/** The text as the person reads it: signature first, as carriers want it. */
export const signed = (signName: string, text: string): string => `【${signName}】${text}`

/** What a person reads of a template with values, signature and all. */
export const contentOf = (
  { signName, templateContent }: { signName: string; templateContent: string },
  params: Readonly<Record<string, string>>,
): string => signed(signName, fillTemplate(templateContent, params))
