"""What a result says: sentences, charts, and the page that holds them."""
