CREATE TABLE shop_categories (id INTEGER PRIMARY KEY, parent_id INTEGER, name TEXT NOT NULL, slug TEXT NOT NULL UNIQUE);
CREATE TABLE shop_products (id INTEGER PRIMARY KEY, sku TEXT NOT NULL UNIQUE, name TEXT NOT NULL, slug TEXT NOT NULL UNIQUE,
    category_id INTEGER NOT NULL, brand TEXT NOT NULL, price INTEGER NOT NULL, stock INTEGER NOT NULL, enabled INTEGER NOT NULL,
    colour TEXT NOT NULL, description TEXT NOT NULL, created TEXT NOT NULL);
CREATE INDEX shop_products_category ON shop_products (category_id);
CREATE TABLE shop_options (id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL);
CREATE INDEX shop_options_product ON shop_options (product_id);
CREATE TABLE shop_details (id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL);
CREATE INDEX shop_details_product ON shop_details (product_id);
CREATE TABLE shop_related (id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL, related_id INTEGER NOT NULL);
CREATE TABLE shop_customers (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL, first TEXT NOT NULL,
    last TEXT NOT NULL, kind TEXT NOT NULL, phone TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE shop_addresses (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, name TEXT NOT NULL, street TEXT NOT NULL,
    city TEXT NOT NULL, state TEXT NOT NULL, postcode TEXT NOT NULL, phone TEXT NOT NULL, preferred INTEGER NOT NULL);
CREATE TABLE shop_orders (id INTEGER PRIMARY KEY, number TEXT NOT NULL UNIQUE, customer_id INTEGER NOT NULL, status TEXT NOT NULL,
    created TEXT NOT NULL, subtotal INTEGER NOT NULL, discount INTEGER NOT NULL, shipping INTEGER NOT NULL, total INTEGER NOT NULL,
    coupon TEXT NOT NULL, method TEXT NOT NULL, payment TEXT NOT NULL, ship_name TEXT NOT NULL, ship_street TEXT NOT NULL,
    ship_city TEXT NOT NULL, ship_state TEXT NOT NULL, ship_postcode TEXT NOT NULL, ship_phone TEXT NOT NULL);
CREATE INDEX shop_orders_customer ON shop_orders (customer_id);
CREATE TABLE shop_order_items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, product_id INTEGER NOT NULL, sku TEXT NOT NULL,
    name TEXT NOT NULL, options TEXT NOT NULL, price INTEGER NOT NULL, quantity INTEGER NOT NULL);
CREATE INDEX shop_order_items_order ON shop_order_items (order_id);
CREATE TABLE shop_order_comments (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, created TEXT NOT NULL, status TEXT NOT NULL,
    text TEXT NOT NULL, told INTEGER NOT NULL);
CREATE TABLE shop_shipments (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, created TEXT NOT NULL, carrier TEXT NOT NULL,
    tracking TEXT NOT NULL);
CREATE TABLE shop_invoices (id INTEGER PRIMARY KEY, number TEXT NOT NULL UNIQUE, order_id INTEGER NOT NULL, created TEXT NOT NULL,
    total INTEGER NOT NULL);
CREATE TABLE shop_reviews (id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL, customer_id INTEGER, nickname TEXT NOT NULL,
    title TEXT NOT NULL, text TEXT NOT NULL, rating INTEGER NOT NULL, status TEXT NOT NULL, created TEXT NOT NULL);
CREATE INDEX shop_reviews_product ON shop_reviews (product_id);
CREATE TABLE shop_cart_items (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, product_id INTEGER NOT NULL, options TEXT NOT NULL,
    quantity INTEGER NOT NULL);
CREATE TABLE shop_checkouts (customer_id INTEGER PRIMARY KEY, coupon TEXT NOT NULL, address_id INTEGER, method TEXT NOT NULL);
CREATE TABLE shop_wishes (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, product_id INTEGER NOT NULL, created TEXT NOT NULL);
CREATE TABLE shop_compared (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, product_id INTEGER NOT NULL);
CREATE TABLE shop_coupons (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT NOT NULL, kind TEXT NOT NULL,
    amount INTEGER NOT NULL, starts TEXT NOT NULL, ends TEXT NOT NULL, active INTEGER NOT NULL);
CREATE TABLE shop_searches (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, results INTEGER NOT NULL, uses INTEGER NOT NULL,
    last_used TEXT NOT NULL);
CREATE TABLE shop_messages (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL, text TEXT NOT NULL,
    created TEXT NOT NULL);
CREATE TABLE shop_subscribers (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, status TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE shop_clerks (id INTEGER PRIMARY KEY, user TEXT NOT NULL UNIQUE, password TEXT NOT NULL, name TEXT NOT NULL)
