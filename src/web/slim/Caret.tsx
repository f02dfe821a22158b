import './carets.css'

interface Props {
  className?: string
}

/** A mark of a heading that sorts, up or down by its class, drawn by its borders: a list has dozens of them. */
export default function Caret({ className }: Props) {
  return <span className={className} />
}
