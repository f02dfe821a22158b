const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** Rich text as the lines a document prints: one per paragraph, list item or line break; blank ones left out. */
export async function linesOf(html: string | null | undefined): Promise<string[]> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  const broken = (html ?? '').replace(/<br\s*\/?>|<\/(p|li|div|h[1-6]|tr|blockquote)>/gi, '$&\n')
  return sanitizeHtml(broken, { allowedTags: [], allowedAttributes: {} })
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .split('\n')
    .map(line => line.replace(/[\s\u00a0]+/g, ' ').trim())
    .filter(Boolean)
}

/** Plain text as it stands in formatted text. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)
