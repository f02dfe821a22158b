import { AuthImage } from './AuthImage.tsx'
import type { CellProps } from './props.ts'

/** A picture, small in a line and larger in a detail. */
export default function PictureCell({ field, value, where }: CellProps) {
  const size = where === 'detail' ? 120 : 36
  return <AuthImage id={String(value)} alt={field.title} width={size} height={size} />
}
