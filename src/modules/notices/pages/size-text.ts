const KB = 1024

/** A number of bytes as people read it: `512 KB`, `1.4 MB`; empty when it is not known. */
export function sizeText(bytes: number | '' | undefined): string {
  if (!bytes) return ''
  return bytes < KB * KB ? `${Math.max(1, Math.round(bytes / KB))} KB` : `${(bytes / KB / KB).toFixed(1)} MB`
}
