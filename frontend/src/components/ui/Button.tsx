import type { ButtonHTMLAttributes } from 'react'
import type { IconName } from './Icon'
import { Icon } from './Icon'
import type { AnyLinkProps, ExternalLinkProps, LinkProps } from './Link'
import { AnyLink, ExternalLink, Link } from './Link'

interface Look {
  /** Plain if omitted. At most one `primary` button per view. */
  variant?: 'primary' | 'quiet'
  size?: 'small' | 'large'
  /** Hidden where scripts do not run. */
  needsScript?: boolean
  className?: string
}

interface Labeled {
  icon: IconName
  /** Read by screen readers in place of the icon. */
  label: string
}

type ButtonAttributes = ButtonHTMLAttributes<HTMLButtonElement>

function classes(base: string, { variant, size, needsScript, className }: Look): string {
  const names = [base, variant && `button-${variant}`, size && `button-${size}`, className, needsScript && 'needs-script']
  return names.filter(Boolean).join(' ')
}

export function Button({ variant, size, needsScript, className, type = 'button', ...attributes }: Look & ButtonAttributes) {
  return <button type={type} className={classes('button', { variant, size, needsScript, className })} {...attributes} />
}

/** A link that looks like a button. */
export function LinkButton({ variant, size, needsScript, className, ...attributes }: Look & LinkProps) {
  return <Link className={classes('button', { variant, size, needsScript, className })} {...attributes} />
}

export function ExternalLinkButton({ variant, size, needsScript, className, ...attributes }: Look & ExternalLinkProps) {
  return <ExternalLink className={classes('button', { variant, size, needsScript, className })} {...attributes} />
}

export function AnyLinkButton({ variant, size, needsScript, className, ...attributes }: Look & AnyLinkProps) {
  return <AnyLink className={classes('button', { variant, size, needsScript, className })} {...attributes} />
}

/** A square button whose name is for screen readers only. */
export function IconButton({ icon, label, needsScript, className, ...attributes }: Labeled & Look & ButtonAttributes) {
  return (
    <button type="button" className={classes('icon-button', { needsScript, className })} {...attributes}>
      <IconLabel icon={icon} label={label} />
    </button>
  )
}

export function IconLink({ icon, label, needsScript, className, ...attributes }: Labeled & Look & LinkProps) {
  return (
    <Link className={classes('icon-button', { needsScript, className })} {...attributes}>
      <IconLabel icon={icon} label={label} />
    </Link>
  )
}

function IconLabel({ icon, label }: Labeled) {
  return (
    <>
      <Icon name={icon} />
      <span className="sr-only">{label}</span>
    </>
  )
}
