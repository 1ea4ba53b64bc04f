@register
class Widget {}
